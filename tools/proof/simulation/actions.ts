// The actions of members and the shop in a story. Each calls the use case of its route.

import { findKey } from '../../../src/merchant/core/billing-keys/billing-key-store';
import { startIssuance } from '../../../src/merchant/core/billing-keys/issuance-store';
import { recordKeyOutcome } from '../../../src/merchant/core/billing-keys/recover-issuance';
import { removeCard } from '../../../src/merchant/core/cards/remove-card';
import { chargeOrder } from '../../../src/merchant/core/charges/charge-order';
import { closeOrder } from '../../../src/merchant/core/orders/register-order';
import { refundPayment } from '../../../src/merchant/core/refunds/refund-payment';
import { revokeSchedules } from '../../../src/merchant/core/schedules/revoke-schedules';
import { schedulePayments } from '../../../src/merchant/core/schedules/schedule-payments';
import type { Context } from '../../../src/merchant/platform/context';
import { CARD_INPUT, CARD_THAT_FAILS } from '../../../test/support/cards';
import { held, paymentsAtService } from './check-money';
import { begin } from './run-steps';
import type { SimulatedProcess } from './simulated-process';
import { anyProcess, type StoryOrder, type Tale } from './tale';

export const MEMBERS = ['member-1', 'member-2'];
/** Registers a card before the story: one that can be charged, or one whose payments fail. */
export async function registerBefore(tale: Tale): Promise<void> {
  const cardNumber = tale.random.chance(0.9) ? CARD_INPUT.cardNumber : CARD_THAT_FAILS;
  const { card, ...issuance } = requestFor(tale, `${tale.random.pick(MEMBERS)}-key-1`, cardNumber);
  const { customerUid } = issuance;
  const { outside } = tale.stage;
  const started = await startIssuance(outside, { ...issuance, cardLastFour: cardNumber.slice(-4) });
  if (typeof started === 'string') throw new Error(started);
  await outside.service.issueBillingKey(customerUid, card);
  await recordKeyOutcome(outside, started, true);
  tale.confirmedKeys.add(customerUid);
}

/** What a member sends with a card. */
export function requestFor({ keys, trace }: Tale, customerUid: string, cardNumber: string) {
  keys.add(customerUid);
  return {
    customerUid,
    memberId: customerUid.replace(/-key-.*$/, ''),
    formNonce: `nonce-${trace.length}`,
    replacesKey: false,
    consent: { termsVersion: '1', privacyVersion: '1' },
    card: { ...CARD_INPUT, cardNumber },
  };
}

export function remove(tale: Tale): void {
  const customerUid = anyKey(tale);
  if (customerUid === undefined) return;
  const target = anyProcess(tale);
  begin(target, removeIfThere(target.context, customerUid), (kind) =>
    tale.stage.tally.add(`removal: ${kind}`),
  );
}

async function removeIfThere(context: Context, customerUid: string): Promise<string> {
  const key = await findKey(context, customerUid);
  return key ? (await removeCard(context, key)).kind : 'no key';
}

export function charge(tale: Tale): void {
  const customerUid = anyKey(tale);
  if (customerUid === undefined) return;
  const mayPay = tale.orders.filter(({ memberId }) => memberId === null || customerUid.startsWith(memberId));
  chargeFor(tale, tale.random.pick(mayPay), customerUid);
}

export function chargeFor(tale: Tale, { merchantUid }: StoryOrder, customerUid: string): void {
  const target = anyProcess(tale);
  const request = { merchantUid, customerUid };
  const charged = watched(tale, merchantUid, target, () => chargeOrder(target.context, request));
  begin(target, charged, ({ kind }) => tale.stage.tally.add(`charge: ${kind}`));
}

/** Records the payments made before a charge began, to check later whether the charge should have seen them. */
export async function watched<Result>(
  { stage, orders, charging }: Tale,
  merchantUid: string,
  { steps }: SimulatedProcess,
  charge: () => Promise<Result>,
): Promise<Result> {
  const amount = orders.find((order) => order.merchantUid === merchantUid)?.amount;
  const paidBefore = paymentsAtService(stage, merchantUid)
    .filter((payment) => payment.amount === amount && held(payment) > 0)
    .map(({ svcUid }) => svcUid);
  const watch = { merchantUid, paidBefore, isOver: steps.isKilled };
  charging.add(watch);
  return charge().finally(() => charging.delete(watch));
}

/** The payment of a new order, or sometimes of one that is there. */
export function schedule(tale: Tale): void {
  const { random, orders } = tale;
  const customerUid = anyKey(tale);
  if (customerUid === undefined) return;
  if (random.chance(0.3)) return scheduleFor(tale, random.pick(orders), customerUid);
  const order = {
    merchantUid: `scheduled-${orders.length}`,
    amount: 1_000 * (orders.length + 1),
    memberId: MEMBERS.find((member) => customerUid.startsWith(member)) ?? null,
    isRegistered: false,
  };
  orders.push(order);
  scheduleFor(tale, order, customerUid);
}

export function scheduleFor(
  tale: Tale,
  { merchantUid, amount, memberId }: StoryOrder,
  customerUid: string,
): void {
  const { random, stage } = tale;
  const scheduleAt = new Date(stage.clock.nowMs() + random.pick([60, 4_000, 100_000]) * 1_000);
  const payment = {
    scheduleAt,
    order: { merchantUid, amount, memberId, name: 'Tea', currency: 'KRW' as const },
  };
  const target = anyProcess(tale);
  begin(target, schedulePayments(target.context, { customerUid, payments: [payment] }), ({ kind }) =>
    stage.tally.add(`schedule: ${kind}`),
  );
}

export function close(tale: Tale): void {
  const { merchantUid } = tale.random.pick(tale.orders);
  const target = anyProcess(tale);
  begin(target, closeOrder(target.context, merchantUid), ({ kind }) =>
    tale.stage.tally.add(`closing: ${kind}`),
  );
}

export function unschedule(tale: Tale): void {
  const customerUid = anyKey(tale);
  if (customerUid === undefined) return;
  const target = anyProcess(tale);
  const revocation = { customerUid, merchantUids: 'all' } as const;
  begin(target, revokeSchedules(target.context, revocation), ({ kind }) =>
    tale.stage.tally.add(`revocation: ${kind}`),
  );
}

export async function refund(tale: Tale): Promise<void> {
  const { stage, random } = tale;
  const query = 'select svc_uid as "svcUid" from payments order by svc_uid';
  const stored = await stage.rows.query<{ svcUid: string }>(query);
  if (stored.length === 0) return;
  const { svcUid } = random.pick(stored);
  const amount = random.chance(0.5) ? 300 : null;
  const request = { svcUid, amount, reason: 'refund', checksum: null, refundAccount: null };
  const target = anyProcess(tale);
  begin(target, refundPayment(target.context, request), ({ kind }) => stage.tally.add(`refund: ${kind}`));
}

/** A random key, mostly a usable one. */
function anyKey({ random, keys, confirmedKeys }: Tale): string | undefined {
  const known = [...(confirmedKeys.size > 0 && random.chance(0.9) ? confirmedKeys : keys)];
  return known[random.int(known.length)];
}
