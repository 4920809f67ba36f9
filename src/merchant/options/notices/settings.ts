// NOTICE_URL: where new cases for a person are told. The address of a chat service is a secret: whoever knows it can write
// there.

import type { z } from 'zod';
import type { Config } from '../../platform/config';
import { liveUrlProblems } from '../../platform/setting-urls';
import { defineSettings, list, required, settingsOf, type Given } from '../../platform/settings';

/** Some chat services have a key in the query. */
const noticeUrl: z.ZodType<string, string> = required.refine(
  isUsable,
  'must be an http(s) URL without credentials or fragment',
);

export const noticeSettings = defineSettings({
  shape: { NOTICE_URL: noticeUrl.optional() },
  problems: (given, production) => (production ? notLive(given) : []),
});

/** Undefined if nothing is told. */
export function noticeUrlOf(config: Pick<Config, 'values'>): string | undefined {
  return settingsOf(config, noticeSettings).NOTICE_URL;
}

function isUsable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !hash;
}

function notLive({ NOTICE_URL: url, ORDER_EVENTS_ALLOW: allow }: Given): string[] {
  if (url === undefined || !isUsable(url)) return [];
  const problems = liveUrlProblems(url, { hosts: list.parse(allow), setting: 'ORDER_EVENTS_ALLOW' });
  return problems.map((problem) => `NOTICE_URL: ${problem}`);
}
