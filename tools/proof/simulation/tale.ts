// The state of a running story.

import { insertOrder } from '../../../src/merchant/core/orders/order-store';
import type { ShopEvent } from '../../../src/merchant/shop/event';
import type { Random } from '../seeded-random';
import type { LeftOpen } from './left-open';
import { startProcess, type SimulatedProcess } from './simulated-process';
import type { Stage } from './stage';

export type StoryOrder = {
  merchantUid: string;
  amount: number;
  memberId: string | null;
  /** False for an order that a schedule or subscription would register, as long as that has not happened. */
  isRegistered: boolean;
};

/** A requested subscription. */
export type Plan = {
  subscriptionId: string;
  amount: number;
  firstPaymentAt: Date;
  interval: 'day' | 'week' | 'month' | 'year';
};

/** A notification, and the amount of the payment that was cancelled when it was sent. */
export type Notice = { svcUid: string; merchantUid: string; status: string; cancelled: number };

export type Tale = {
  stage: Stage;
  random: Random;
  orders: StoryOrder[];
  plans: Plan[];
  /** Each `customer_uid` for which a card was sent. */
  keys: Set<string>;
  /** The keys whose registration was confirmed. */
  confirmedKeys: Set<string>;
  /** Notifications in transit. */
  wire: Notice[];
  /** Payments made in the service's window. */
  paid: Notice[];
  /** Genuine notifications that were answered with 200. */
  acknowledged: Notice[];
  /** The events delivered to the shop, in order, with their time. */
  delivered: { event: ShopEvent; atMs: number }[];
  /** Charges in progress, each with the order's payments that held money when it began. */
  charging: Set<{ merchantUid: string; paidBefore: readonly string[]; isOver(): boolean }>;
  trace: string[];
  /** Problems found during the story. */
  problems: string[];
  /** Rows that are open at the end. */
  leftOpen: LeftOpen[];
  lastStep: { process: number; killChance: number } | null;
  processes: SimulatedProcess[];
  /** Each reconciliation has its own process, beside the two others, so that its end is known. */
  sweeps: SimulatedProcess[];
};

/** The beginning of a story, with its orders inserted. */
export async function createTale(
  stage: Stage,
  random: Random,
  { trace, orders, processes }: { trace: string[]; orders: StoryOrder[]; processes: number },
): Promise<Tale> {
  for (const { merchantUid, amount, memberId } of orders)
    await insertOrder(stage.outside, { merchantUid, amount, memberId, name: 'Tea', currency: 'KRW' });
  return {
    stage,
    random,
    orders,
    plans: [],
    keys: new Set(),
    confirmedKeys: new Set(),
    wire: [],
    paid: [],
    acknowledged: [],
    delivered: [],
    charging: new Set(),
    trace,
    problems: [],
    leftOpen: [],
    lastStep: null,
    processes: Array.from({ length: processes }, () => startProcess(stage)),
    sweeps: [],
  };
}

/** A random process. Call it once per task. */
export function anyProcess({ random, processes }: Tale): SimulatedProcess {
  return random.pick(processes);
}
