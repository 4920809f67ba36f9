// An operator's browser without a screen, signed in.

import { OPERATOR_PASSWORD } from './config';
import { createMemberBrowser, type MemberBrowser } from './member-browser';
import { openBetween } from './open-between';

export type OperatorBrowser = MemberBrowser;

/** An operator who is signed in before the tests of a file. */
export function useOperator(world: { url: string }, by: string): OperatorBrowser {
  return openBetween(
    beforeAll,
    afterAll,
    () => signedIn(world, { by }),
    () => Promise.resolve(),
  );
}

export async function signedIn(
  world: { url: string },
  { by = 'kim', password = OPERATOR_PASSWORD } = {},
): Promise<OperatorBrowser> {
  const browser = createMemberBrowser(world);
  const { status } = await browser.post('/operator/sign-in', { by, password });
  if (status !== 303) throw new Error(`sign-in was answered ${status}`);
  return browser;
}
