// What a story knows of itself while it is told.

import type { SubscriptionInterval } from '../../src/generated/prisma/client';
import type { ShopEvent } from '../../src/merchant/shop/event';
import type { Random } from '../seeded-random';
import type { LeftOpen } from './left-open';
import type { SimulatedProcess } from './simulated-process';
import type { Stage } from './stage';

export type StoryOrder = {
  merchantUid: string;
  amount: number;
  memberId: string | null;
  /** One that is registered by what it is scheduled with is not there where that has not happened. */
  isRegistered: boolean;
};

/** A subscription that somebody has asked for. */
export type Plan = {
  subscriptionId: string;
  amount: number;
  firstPaymentAt: Date;
  interval: SubscriptionInterval;
};

/** What a notification says, and how much of the payment was cancelled when it was sent. */
export type Notice = { svcUid: string; merchantUid: string; status: string; cancelled: number };

export type Tale = {
  stage: Stage;
  random: Random;
  orders: StoryOrder[];
  plans: Plan[];
  /** Each `customer_uid` for which a card was ever sent. */
  keys: Set<string>;
  /** Those of which a registration was confirmed. */
  confirmedKeys: Set<string>;
  /** Notifications on their way. */
  wire: Notice[];
  /** What was paid in the service's window. */
  paid: Notice[];
  /** Genuine notifications that were answered 200. */
  acknowledged: Notice[];
  /** What the shop was told, in that order, and when. */
  told: { event: ShopEvent; atMs: number }[];
  /** Charges under way, each with the payments that held money for its order when it began. */
  charging: Set<{ merchantUid: string; paidBefore: readonly string[]; isOver(): boolean }>;
  trace: string[];
  /** What was found to be untrue while it was told. */
  problems: string[];
  /** What time has not brought to its end. */
  leftOpen: LeftOpen[];
  lastStep: { process: number; killChance: number } | null;
  processes: SimulatedProcess[];
  /** Each of the two does what it is asked, and a sweep has one of its own, so that it is known when that has ended. */
  sweeps: SimulatedProcess[];
};

/** One by chance; to be asked once for each thing that is begun. */
export function anyProcess({ random, processes }: Tale): SimulatedProcess {
  return random.pick(processes);
}
