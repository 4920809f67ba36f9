// Limits how many notifications one process handles at once. Their sender does not wait for us: without limits, an
// overloaded process would take ever longer to answer, also to people and health checks.

import type { RequestHandler } from 'express';

export type LoadLimits = {
  /** While more than this are in progress, new ones are stored and left to the retry job. */
  checkedAtOnce: number;
  /** While this many are in progress, new ones are refused with 503. */
  inProgress: number;
};

/** A check takes about a millisecond of CPU, so these answer within a second. */
const LIMITS: LoadLimits = { checkedAtOnce: 500, inProgress: 1_000 };

export function createLoadLimit({ checkedAtOnce, inProgress }: LoadLimits = LIMITS) {
  let count = 0;
  const limitLoad: RequestHandler = (_request, response, next) => {
    if (count >= inProgress) return next(new Error('too many notifications are in progress'));
    count += 1;
    response.once('close', () => (count -= 1));
    next();
  };
  return { limitLoad, canCheckNow: () => count <= checkedAtOnce };
}
