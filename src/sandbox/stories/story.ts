// A guided story: one way in which a payment goes wrong, as steps that are calls over HTTP, and what must have come of them.

import type { Call, CallAnswer, Scene } from './scene';

export type Stage = Scene & {
  /** What the steps before have found out. */
  facts: Record<string, string>;
  /** Lets time pass for the merchant: in a terminal it passes, in a test the clock is moved. */
  wait(seconds: number): Promise<void>;
  /** Makes the merchant compare its books now. Without it, a story asks it to look at the payment. */
  compareBooks?: (() => Promise<void>) | undefined;
};

export type Expectation = { name: string; expected: string; came: string };

export const STORY_NAMES = [
  'lost-result',
  'duplicate',
  'forged-amount',
  'out-of-order',
  'missed-notification',
  'replaced-card',
] as const;

export type Story = {
  name: (typeof STORY_NAMES)[number];
  steps: readonly Step[];
  /** Reads what came of it. */
  ending(stage: Stage): Promise<Expectation[]>;
};

export type Step = { name: string; run(stage: Stage): Promise<void> };

/** Throws where a call that the story needs is refused. */
export async function must(stage: Stage, call: Call): Promise<CallAnswer> {
  const answer = await stage.call(call);
  if (answer.status < 300) return answer;
  throw new Error(
    `${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`,
  );
}

/** Asks again and again, without showing it, until the answer is as it should be. Returns whether it came to that. */
export async function until(stage: Stage, isSo: () => Promise<boolean>, seconds: number): Promise<boolean> {
  for (let waited = 0; waited < seconds; waited += 1) {
    if (await isSo()) return true;
    await stage.wait(1);
  }
  return isSo();
}

export const toSandbox = (method: Call['method'], path: string, body?: object): Call => ({
  to: 'sandbox',
  method,
  path: `/_sandbox${path}`,
  ...(body && { body }),
});

export const toMerchant = (method: Call['method'], path: string, body?: object): Call => ({
  to: 'merchant',
  method,
  path,
  ...(body && { body }),
});

/** An order id that nobody has used. */
export const newOrder = (word: string): string => `${word}-${Math.random().toString(36).slice(2, 10)}`;
