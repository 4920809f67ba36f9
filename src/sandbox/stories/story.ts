// A guided story: one way in which a payment goes wrong, as steps made of HTTP calls, and the expected results.

import type { Call, CallAnswer, Scene } from './scene';

export type Stage = Scene & {
  /** Values that earlier steps have found. */
  facts: Record<string, string>;
  /** Waits in real time in a terminal; moves the clock in a test. */
  wait(seconds: number): Promise<void>;
  /** Makes the merchant reconcile now. Without it, a story asks the merchant to sync the payment. */
  compareBooks?: (() => Promise<void>) | undefined;
  /** Goes on after a call or a step that failed: for a merchant that is known to lack some of the routes. */
  goesOn: boolean;
};

export type Expectation = { name: string; expected: string; came: string };

export const STORY_NAMES = [
  'lost-result',
  'duplicate',
  'forged-amount',
  'out-of-order',
  'overtaken',
  'early-notification',
  'outage',
  'missed-notification',
  'lost-registration',
  'closed-window',
  'replaced-card',
  'card-testing',
] as const;

/** `card-form`: routes that take a card number. `window-keys`: a route that requests a billing key from the payment window. */
export type MerchantOption = 'card-form' | 'window-keys';

export type Story = {
  name: (typeof STORY_NAMES)[number];
  /** The option of the merchant whose routes it calls. */
  needs?: MerchantOption;
  steps: readonly Step[];
  /** Reads the results. */
  ending(stage: Stage): Promise<Expectation[]>;
};

export type Step = { name: string; run(stage: Stage): Promise<void> };

/** Makes a call that must succeed, unless the story goes on after a failure. */
export async function must(stage: Stage, call: Call): Promise<CallAnswer> {
  const answer = await stage.call(call);
  if (answer.status < 300 || stage.goesOn) return answer;
  throw new Error(
    `${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`,
  );
}

/** Waits for what the merchant does by itself. One that lacks the routes lacks the retries as well. */
export function until(stage: Stage, isSo: () => Promise<boolean>, seconds: number): Promise<boolean> {
  return poll(stage, isSo, stage.goesOn ? Math.min(seconds, 5) : seconds);
}

/** Asks once a second until `isSo` is true or the time is over. Returns whether it became true. */
export async function poll(stage: Stage, isSo: () => Promise<boolean>, seconds: number): Promise<boolean> {
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

/** A new, random order id. */
export const newOrder = (word: string): string => `${word}-${Math.random().toString(36).slice(2, 10)}`;
