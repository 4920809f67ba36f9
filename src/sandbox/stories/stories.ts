// The six stories, in the order shown.

import { lostResult } from './lost-result';
import { duplicate, forgedAmount, missedNotification, outOfOrder } from './notification-stories';
import { replacedCard } from './replaced-card';
import type { Story } from './story';

export const STORIES: readonly Story[] = [
  lostResult,
  duplicate,
  forgedAmount,
  outOfOrder,
  missedNotification,
  replacedCard,
];
