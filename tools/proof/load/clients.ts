// The clients of a run under load. Each sends its requests one after the other, to either merchant, and repeats each until it is
// answered. The answers are recorded in the ledger.

import { setTimeout as pause } from 'node:timers/promises';
import { createMemberBrowser, hiddenFields } from '../../../test/support/browsers';
import { callApi } from '../../../test/support/calls';
import { CARD_FORM } from '../../../test/support/cards';
import { API_KEY } from '../../../test/support/config';
import { FILL_IN_MS } from '../../../test/support/processes';
import { SERVICE_ADDRESS } from '../../../test/support/world';
import type { Random } from '../seeded-random';
import type { Ledger } from './ledger';
import type { Stage } from './stage';

export type Client = {
  name: string;
  stage: Stage;
  ledger: Ledger;
  random: Random;
  /** Its stored key, registered before the first kill. */
  customerUid: string;
};

const AMOUNT = 1000;
const PART = 300;
const DAY_SECONDS = 86_400;
/** Longer than any outage of the service. */
const ANSWERED_WITHIN_MS = 180_000;

let sequence = 0;

/** Makes a payment in the window, sometimes with a partial cancellation in the admin console, and its notifications. */
export async function payAndNotify(client: Client): Promise<void> {
  const { stage, random } = client;
  const merchantUid = await registerOrder(client);
  const payment = { merchant_uid: merchantUid, amount: AMOUNT, notify: false };
  const { svc_uid: svcUid } = (await stage.sandbox.call('POST', '/payments', payment)) as { svc_uid: string };
  for (let copies = random.between(1, 3); copies > 0; copies -= 1)
    await notify(client, svcUid, merchantUid, 'paid');
  if (!random.chance(0.3)) return;
  await stage.sandbox.call('POST', `/payments/${svcUid}/cancel`, { amount: PART });
  await notify(client, svcUid, merchantUid, 'cancelled');
}

/** Charges an order, and refunds a part of it in half of the cases. */
export async function chargeAndRefund(client: Client): Promise<void> {
  const { ledger, random, customerUid } = client;
  const merchantUid = await registerOrder(client);
  const charged = await sendApi(client, 'charge', `/api/orders/${merchantUid}/charge`, {
    customer_uid: customerUid,
  });
  if (charged.status !== 200) return;
  ledger.charged.add(merchantUid);
  const svcUid = String(charged.body.order.payments[0]?.svc_uid);
  if (!random.chance(0.5)) return;
  const refund = { amount: PART, isAcknowledged: false };
  ledger.refunds.set(svcUid, refund);
  // The checksum makes a repeated request safe (§4.9).
  const body = { amount: PART, checksum: AMOUNT, reason: 'kill loop' };
  const { status } = await sendApi(client, 'refund', `/api/payments/${svcUid}/cancel`, body);
  refund.isAcknowledged = status === 200;
}

/** Sends reading requests, and requests that must be refused. */
export async function lookAround(client: Client): Promise<void> {
  const { ledger, random } = client;
  const [kind, path, headers, expected] = random.pick(LOOKS);
  const { status } = await send(client, kind, async (url) => {
    const response = await fetch(`${url}${path}`, { headers });
    await response.text();
    return { status: response.status };
  });
  if (status !== expected) ledger.strange.push(`${kind}: ${status}`);
}

const KEY = { authorization: `Bearer ${API_KEY}` };
type Look = readonly [kind: string, path: string, headers: Record<string, string>, expected: number];
const LOOKS: readonly [Look, ...Look[]] = [
  ['orders', '/api/orders?limit=50', KEY, 200],
  ['payments', '/api/payments?limit=50', KEY, 200],
  ['schedules', '/api/schedules/nobody', KEY, 404],
  ['no key', '/api/orders', {}, 401],
  ['wrong method', '/webhooks/payments', {}, 405],
  ['nowhere', '/nowhere', {}, 404],
  ['ready', '/readyz', {}, 200],
];

/** A new member registers a card; sometimes a payment is scheduled with it and the card is removed. */
export async function registerAndRemoveCard(client: Client): Promise<void> {
  const { ledger, random } = client;
  const card = await registerCard(client);
  if (card === null || !random.chance(0.6)) return;
  const { member, customerUid } = card;
  if (random.chance(0.5)) await schedule(client, customerUid, DAY_SECONDS);
  const form = hiddenFields((await send(client, 'cards', (url) => member(url).get('/cards'))).html);
  const path = `/cards/${customerUid}/remove`;
  const { status } = await send(client, 'remove', (url) => member(url).post(path, form));
  if (status === 303) ledger.cards.set(customerUid, 'removed');
}

/** Schedules a payment for the next seconds, or for tomorrow, and then sometimes revokes it. */
export async function scheduleAndRevoke(client: Client): Promise<void> {
  const { ledger, random, customerUid } = client;
  const isSoon = random.chance(0.5);
  const merchantUid = await schedule(client, customerUid, isSoon ? random.between(2, 5) : DAY_SECONDS);
  if (isSoon || !random.chance(0.6)) return;
  const body = { customer_uid: customerUid, merchant_uid: merchantUid };
  const { status } = await sendApi(client, 'revoke', '/api/schedules/revoke', body);
  if (status === 200) ledger.schedules.set(merchantUid, 'revoked');
}

/** Returns null if the registration was not confirmed; the ledger has its customer_uid in any case. */
export async function registerCard(client: Pick<Client, 'ledger' | 'random' | 'stage'>) {
  const { ledger, random } = client;
  const cookies = new Map<string, string>();
  const member = (url: string) => createMemberBrowser({ url }, cookies);
  // Every member has its own card and address.
  const from = { 'x-forwarded-for': `198.18.${random.between(0, 255)}.${random.between(1, 254)}` };
  const opened = await send(client, 'form', (url) => member(url).get('/cards/new', from));
  const hidden = hiddenFields(opened.html);
  const customerUid = hidden.customer_uid;
  await pause(FILL_IN_MS);
  ledger.cards.set(customerUid, null);
  const digits = (least: number) => String(random.between(least, 9999)).padStart(4, '0');
  const cardNumber = `5409-${digits(0)}-${digits(0)}-${digits(1000)}`;
  const fields = { ...hidden, ...CARD_FORM, card_number: cardNumber };
  const { status } = await send(client, 'card', (url) => member(url).post('/cards', fields, from));
  if (status !== 303) return null;
  ledger.cards.set(customerUid, 'registered');
  return { member, customerUid };
}

async function registerOrder(client: Client): Promise<string> {
  const merchantUid = newUid(client);
  const order = { merchant_uid: merchantUid, name: 'Tea', amount: AMOUNT };
  const { status } = await sendApi(client, 'order', '/api/orders', order);
  if (status === 200 || status === 201) client.ledger.orders.add(merchantUid);
  else client.ledger.strange.push(`order ${merchantUid}: ${status}`);
  return merchantUid;
}

async function notify(client: Client, svcUid: string, merchantUid: string, status: string): Promise<void> {
  const answer = await send(client, 'notification', async (url) => {
    const response = await fetch(`${url}/webhooks/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
      body: JSON.stringify({ svc_uid: svcUid, merchant_uid: merchantUid, status }),
    });
    return { status: response.status, text: await response.text() };
  });
  const { notified, strange } = client.ledger;
  if (answer.status === 200) notified.set(svcUid, (notified.get(svcUid) ?? 0) + 1);
  else strange.push(`notification of ${merchantUid}: ${answer.status} ${answer.text}`);
}

async function schedule(client: Client, customerUid: string, inSeconds: number): Promise<string> {
  const merchantUid = newUid(client);
  const { schedules } = client.ledger;
  schedules.set(merchantUid, null);
  const { status } = await sendApi(client, 'schedule', '/api/schedules', {
    customer_uid: customerUid,
    merchant_uid: merchantUid,
    schedule_at: Math.floor(Date.now() / 1000) + inSeconds,
    amount: AMOUNT,
    name: 'Tea of the month',
  });
  if (status === 201) schedules.set(merchantUid, 'scheduled');
  return merchantUid;
}

const newUid = ({ name }: Client): string => `${name}-${(sequence += 1)}`;

const sendApi = (client: Client, kind: string, path: string, body: unknown) =>
  send(client, kind, (url) => callApi(url, 'POST', path, body));

/**
 * Repeats the request until it is answered. A broken connection leaves the outcome open, 408 means that a busy merchant did not
 * read the request, 502 and 503 mean that it could not be done now.
 */
async function send<Answer extends { status: number }>(
  { stage, ledger, random }: Pick<Client, 'ledger' | 'random' | 'stage'>,
  kind: string,
  request: (url: string) => Promise<Answer>,
): Promise<Answer> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const sentMs = performance.now();
    let reason = '';
    const answer = await request(random.pick(stage.slots).url).catch((error: unknown) => {
      reason = String(error instanceof Error ? (error.cause ?? error) : error);
      return null;
    });
    if (answer) ledger.durationsMs.push(performance.now() - sentMs);
    const counted = `${kind} ${answer?.status ?? 'none'}`;
    ledger.answers.set(counted, (ledger.answers.get(counted) ?? 0) + 1);
    if (answer && answer.status < 500 && answer.status !== 408) return answer;
    if (answer && ![408, 502, 503].includes(answer.status)) ledger.strange.push(`${kind}: ${answer.status}`);
    if (performance.now() > until)
      throw new Error(
        `${kind}: no answer in ${ANSWERED_WITHIN_MS} ms; at last ${answer ? JSON.stringify(answer) : reason}`,
      );
    await pause(random.between(50, 200));
  }
}
