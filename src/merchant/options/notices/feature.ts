// Notices: new cases for a person are posted to a chat.

import type * as rows from '../../../generated/prisma/client';
import { askReceiver } from '../../core/events/post-event';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Context, FeatureCheck } from '../../platform/context';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { sendNotices } from './send-notices';
import { noticeSettings, noticeUrlOf } from './settings';

const CHECK_TIMEOUT_MS = 5_000;

/** For `npm run doctor`. Sends no message: any HTTP answer to a HEAD is enough. */
async function checkNotices(context: Context): Promise<FeatureCheck> {
  const name = 'notices';
  const url = noticeUrlOf(context.config);
  if (url === undefined)
    return { name, state: 'ok', says: 'NOTICE_URL is not set: nobody is told about new cases' };
  const { host } = new URL(url);
  const problem = await askReceiver(context, url, CHECK_TIMEOUT_MS);
  if (problem === null) return { name, state: 'ok', says: `new cases are posted to ${host}, which answers` };
  return {
    name,
    state: 'warning',
    says: `NOTICE_URL cannot be reached: ${host}, ${problem}`,
    fix: 'Set NOTICE_URL to the address that your chat service shows, and let this server reach it.',
  };
}

export const notices: Feature = {
  name: 'notices',
  needs: ['operator'],
  settings: noticeSettings,
  jobs: [
    { name: 'send-notices', crontab: EVERY_MINUTE, priority: 3, run: (context) => sendNotices(context) },
  ],
  personalData: {
    notices: {
      kind: 'stays',
      triedAt: 'stays',
      told: 'stays',
      reason: 'stays',
    } satisfies Columns<rows.Notice>,
  },
  check: checkNotices,
};
