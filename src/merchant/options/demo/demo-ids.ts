// The ids of the demo's orders and subscriptions. A page makes the id before its form is sent, and the form carries it: sent
// twice, it names the same order, and no order is paid twice.

import { randomBytes } from 'node:crypto';

const ORDER = /^demo-[0-9a-f]{16}$/;
const SUBSCRIPTION = /^demo-plan-[0-9a-f]{12}$/;

export const newDemoOrder = (): string => `demo-${randomBytes(8).toString('hex')}`;
export const newDemoSubscription = (): string => `demo-plan-${randomBytes(6).toString('hex')}`;

/** A member names ids in forms and addresses: of a shop's other orders none is reached. */
export const isDemoOrder = (text: unknown): text is string => typeof text === 'string' && ORDER.test(text);
export const isDemoSubscription = (text: unknown): text is string =>
  typeof text === 'string' && SUBSCRIPTION.test(text);
