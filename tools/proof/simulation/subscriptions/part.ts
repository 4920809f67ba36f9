// Subscriptions in a story.

import { findLeftOpen } from '../left-open';
import type { StoryPart } from '../parts';
import type { Stage } from '../stage';
import { checkPlans } from './check-plans';
import { cancelEachPlan, cancelPlan, decideForPlans, subscribe } from './plans';

const DAY = 24 * 60;
/** The days on which a failed payment is retried. */
const DAYS_OF_A_PLAN = [1, 2, 4];
const MINUTES_OF_A_DAY = [1, 1, 1, 1, 1, 1];
/** The number of tries to cancel a plan. The outcome of a pending payment is known after the time between them. */
const MOST_TRIES = 3;
const MINUTES_OF_A_TRY = [1, 1, 1, 5, 15, 15];

export const part: StoryPart = {
  actions: [
    [1, subscribe, ({ confirmedKeys }) => confirmedKeys.size > 0],
    [1, cancelPlan, ({ plans }) => plans.length > 0],
  ],
  check: checkPlans,

  /** Lets some days pass, then cancels all plans. */
  async end(tale, time) {
    const { random, stage, plans } = tale;
    if (plans.length === 0) return;
    for (const days of DAYS_OF_A_PLAN.slice(0, random.int(DAYS_OF_A_PLAN.length + 1)))
      await time.pass([days * DAY, ...MINUTES_OF_A_DAY]);
    // A plan with a pending payment cannot be cancelled before the outcome is known.
    for (let tries = 0; tries < MOST_TRIES && (await hasPlan(stage)); tries += 1) {
      await decideForPlans(tale);
      cancelEachPlan(tale);
      await time.goOn();
      await time.pass(MINUTES_OF_A_TRY);
    }
  },
};

async function hasPlan({ rows }: Stage): Promise<boolean> {
  return (await findLeftOpen(rows)).some(({ what }) => what === 'plans');
}
