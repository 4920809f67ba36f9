// The texts of the sandbox's pages in Korean. The type check makes sure that the English texts have the same keys.

import { consoleKo } from './console-ko';
import { landingKo } from './landing-ko';
import { storiesKo } from './stories-ko';
import { windowKo } from './window-ko';

export const ko = {
  lang: 'ko',
  languageName: '한국어',
  layout: {
    sandbox: '샌드박스예요. 실제 돈은 움직이지 않아요.',
    skip: '본문으로 건너뛰기',
    language: '언어',
    errorPrefix: '오류: ',
    footer: '실제 카드 번호는 어디에도 입력하지 마세요. 모든 시각은 한국 시간(KST)이에요.',
    console: '샌드박스 콘솔',
  },
  clock: {
    ahead: (span: string) => `${span} 앞`,
    behind: (span: string) => `${span} 뒤`,
    shopTime: (date: string, distance: string) => `상점 시각 ${date} (${distance})`,
    sandboxTime: (date: string, distance: string) => `샌드박스 시각 ${date} (${distance}, 샌드박스만)`,
    reset: '되돌리기',
  },
  address: {
    moved: (now: string, usual: string) => `웹훅이 상점(${usual})에 닿지 않아요. 지금은 ${now}(으)로 보내요.`,
    off: (usual: string) => `웹훅이 상점(${usual})에 닿지 않아요. 보내지 않도록 꺼져 있어요.`,
    restore: '상점으로 되돌리기',
  },
  notFound: {
    title: '찾을 수 없는 페이지예요',
    text: '주소가 바르지 않거나, 샌드박스를 비워서 없어진 페이지예요.',
  },
  console: consoleKo,
  landing: landingKo,
  stories: storiesKo,
  window: windowKo,
};

export type Locale = typeof ko;
