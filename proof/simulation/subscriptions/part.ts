// Subscriptions in a story.

import { findLeftOpen } from '../left-open';
import type { StoryPart } from '../parts';
import type { Stage } from '../stage';
import { checkPlans } from './check-plans';
import { cancelEachPlan, cancelPlan, settleForPlans, subscribe } from './plans';

const DAY = 24 * 60;
/** How a plan goes on: the days on which a failed payment is tried again, with the minutes that each of them takes. */
const DAYS_OF_A_PLAN = [1, 2, 4];
const MINUTES_OF_A_DAY = [1, 1, 1, 1, 1, 1];
/** How often a plan is cancelled, and what passes after each time: by then it is known what became of a payment on its way. */
const MOST_TRIES = 3;
const MINUTES_OF_A_TRY = [1, 1, 1, 5, 15, 15];

export const part: StoryPart = {
  actions: [
    [1, subscribe, ({ confirmedKeys }) => confirmedKeys.size > 0],
    [1, cancelPlan, ({ plans }) => plans.length > 0],
  ],
  check: checkPlans,

  /** For some days, until all of them are cancelled. */
  async end(tale, time) {
    const { random, stage, plans } = tale;
    if (plans.length === 0) return;
    for (const days of DAYS_OF_A_PLAN.slice(0, random.int(DAYS_OF_A_PLAN.length + 1)))
      await time.pass([days * DAY, ...MINUTES_OF_A_DAY]);
    // One whose payment is on its way cannot be cancelled before its outcome is known.
    for (let tries = 0; tries < MOST_TRIES && (await hasPlan(stage)); tries += 1) {
      await settleForPlans(tale);
      cancelEachPlan(tale);
      await time.goOn();
      await time.pass(MINUTES_OF_A_TRY);
    }
  },
};

async function hasPlan({ rows }: Stage): Promise<boolean> {
  return (await findLeftOpen(rows)).some(({ what }) => what === 'plans');
}
