// An operator's browser without a screen, signed in.

import { OPERATOR_PASSWORD } from './config';
import { createMemberBrowser, type MemberBrowser } from './member-browser';

export type OperatorBrowser = MemberBrowser;

export async function signedIn(
  world: { url: string },
  { by = 'kim', password = OPERATOR_PASSWORD } = {},
): Promise<OperatorBrowser> {
  const browser = createMemberBrowser(world);
  const { status } = await browser.post('/operator/sign-in', { by, password });
  if (status !== 303) throw new Error(`sign-in was answered ${status}`);
  return browser;
}
