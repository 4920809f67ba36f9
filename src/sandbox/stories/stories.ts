// The stories, in the order shown.

import { cardTesting } from './card-testing';
import { closedWindow } from './closed-window';
import { lostRegistration } from './lost-registration';
import { lostResult } from './lost-result';
import { duplicate, forgedAmount, missedNotification, outOfOrder } from './notification-stories';
import { replacedCard } from './replaced-card';
import { earlyNotification, outage, overtaken } from './service-stories';
import type { Story } from './story';

export const STORIES: readonly Story[] = [
  lostResult,
  duplicate,
  forgedAmount,
  outOfOrder,
  overtaken,
  earlyNotification,
  outage,
  missedNotification,
  lostRegistration,
  closedWindow,
  replacedCard,
  cardTesting,
];
