// The actions of members and the shop in a story. Each calls the use case of its route.

import { findKey } from '../../../src/merchant/core/billing-keys/billing-key-store';
import { registerCard } from '../../../src/merchant/core/cards/register-card';
import { removeCard } from '../../../src/merchant/core/cards/remove-card';
import { chargeOrder } from '../../../src/merchant/core/charges/charge-order';
import { payOnetime } from '../../../src/merchant/core/charges/pay-onetime';
import { closeOrder } from '../../../src/merchant/core/orders/register-order';
import { refundPayment } from '../../../src/merchant/core/refunds/refund-payment';
import { revokeSchedules } from '../../../src/merchant/core/schedules/revoke-schedules';
import { schedulePayments } from '../../../src/merchant/core/schedules/schedule-payments';
import type { Context } from '../../../src/merchant/platform/context';
import {
  CARD_INPUT,
  CARD_THAT_FAILS,
  CARD_WITH_LOST_ANSWER,
  DECLINED_CARD,
} from '../../../test/support/cards';
import { held, paymentsAtService } from './check-money';
import { payFor } from './notices';
import { begin } from './run-steps';
import type { SimulatedProcess } from './simulated-process';
import { anyProcess, type StoryOrder, type Tale } from './tale';

export const MEMBERS = ['member-1', 'member-2'];
const CARDS = [
  [7, CARD_INPUT.cardNumber],
  [1, CARD_WITH_LOST_ANSWER],
  [1, DECLINED_CARD],
  [1, CARD_THAT_FAILS],
] as const;

export function register(tale: Tale): void {
  const { random, keys, confirmedKeys, stage } = tale;
  const memberId = random.pick(MEMBERS);
  const known = [...keys].filter((key) => key.startsWith(memberId));
  const replacesKey = known.length > 0 && random.chance(0.3);
  const customerUid = replacesKey ? random.pick(known) : `${memberId}-key-${keys.size + 1}`;
  const request = requestFor(tale, customerUid, random.weighted(CARDS));
  const target = anyProcess(tale);
  begin(target, registerCard(target.context, { ...request, replacesKey }), ({ kind }) => {
    stage.tally.add(`registration: ${kind}`);
    if (kind === 'registered') confirmedKeys.add(customerUid);
  });
}

/** Registers a card before the story: one that can be charged, or one whose payments fail. */
export async function registerBefore(tale: Tale): Promise<void> {
  const cardNumber = tale.random.chance(0.9) ? CARD_INPUT.cardNumber : CARD_THAT_FAILS;
  const request = requestFor(tale, `${tale.random.pick(MEMBERS)}-key-1`, cardNumber);
  await registerCard(tale.stage.outside, request);
  tale.confirmedKeys.add(request.customerUid);
}

function requestFor({ keys, trace }: Tale, customerUid: string, cardNumber: string) {
  keys.add(customerUid);
  return {
    customerUid,
    memberId: customerUid.replace(/-key-.*$/, ''),
    formNonce: `nonce-${trace.length}`,
    replacesKey: false,
    consent: { termsVersion: '1', privacyVersion: '1' },
    card: { ...CARD_INPUT, cardNumber },
    address: null,
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

function chargeFor(tale: Tale, { merchantUid }: StoryOrder, customerUid: string): void {
  const target = anyProcess(tale);
  const request = { merchantUid, customerUid };
  const charged = watched(tale, merchantUid, target, () => chargeOrder(target.context, request));
  begin(target, charged, ({ kind }) => tale.stage.tally.add(`charge: ${kind}`));
}

/** A key-in payment whose billing key is not stored. */
export function payWithCard(tale: Tale): void {
  payWithCardFor(tale, tale.random.pick(tale.orders.filter(({ isRegistered }) => isRegistered)));
}

function payWithCardFor(tale: Tale, { merchantUid, amount, memberId }: StoryOrder): void {
  const { random, stage } = tale;
  const target = anyProcess(tale);
  const order = { merchantUid, amount, memberId, name: 'Tea', currency: 'KRW' };
  const card = { ...CARD_INPUT, cardNumber: random.weighted(CARDS) };
  const charged = watched(tale, merchantUid, target, () =>
    payOnetime(target.context, { order, card, key: null }),
  );
  begin(target, charged, ({ kind }) => stage.tally.add(`onetime: ${kind}`));
}

/** Records the payments made before a charge began, to check later whether the charge should have seen them. */
async function watched<Result>(
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

function scheduleFor(tale: Tale, { merchantUid, amount, memberId }: StoryOrder, customerUid: string): void {
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

/** The card, the window, a schedule and a typed-in card pay for one order at the same moment. */
export async function payInEveryWay(tale: Tale): Promise<void> {
  const { random, orders, confirmedKeys } = tale;
  const order = random.pick(orders);
  const mayPay = [...confirmedKeys].filter(
    (key) => order.memberId === null || key.startsWith(order.memberId),
  );
  const customerUid = mayPay[random.int(mayPay.length)];
  if (customerUid === undefined) return;
  scheduleFor(tale, order, customerUid);
  chargeFor(tale, order, customerUid);
  if (order.isRegistered) payWithCardFor(tale, order);
  await payFor(tale, order);
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
