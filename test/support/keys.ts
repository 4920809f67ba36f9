// Billing keys of members, issued at the service without a form, and their rows.

import { randomUUID } from 'node:crypto';
import { pollLater } from '../../src/merchant/core/attempts/recover-attempt';
import {
  startIssuance,
  type NewIssuance,
  type StartedIssuance,
} from '../../src/merchant/core/billing-keys/issuance-store';
import { recordKeyOutcome } from '../../src/merchant/core/billing-keys/recover-issuance';
import { FEATURES } from '../../src/merchant/features';
import type { MemberBrowser } from './browsers';
import { CARD, CARD_INPUT } from './cards';
import { ISSUE_KEY } from './sandbox-controls';
import type { World } from './world';

export type StoredKey = { customerUid: string; memberId: string };

/** For a test that types a card: a shop may take no card numbers. */
export const withCardForm = FEATURES.some(({ cardEntry }) => cardEntry !== undefined) ? test : test.skip;

/** For a test in whose shop members issue keys in the payment window. */
export const withWindowKeys = FEATURES.some(({ findKeyRequest }) => findKeyRequest) ? test : test.skip;

type CardOfKey = Partial<StoredKey> & { card_number?: string };

/** Issues a key for a card of a new member, or of this one (`memberIdOf`). */
export async function registerKey(world: World, changes: CardOfKey = {}): Promise<StoredKey> {
  const { memberId, ...issuance } = await beginIssuance(world, changes);
  await sendIssuance(world, issuance, changes);
  await recordKeyOutcome(world.context(), issuance, true);
  return { customerUid: issuance.customerUid, memberId };
}

/** Writes the row of an issuance, before the call: of a first key, or of another card for the key of a member. */
export async function beginIssuance(
  world: World,
  { customerUid = newId('card'), memberId = newId('member'), card_number = CARD.card_number }: CardOfKey,
  { replacesKey = false }: Partial<NewIssuance> = {},
): Promise<StartedIssuance & { memberId: string }> {
  const started = await startIssuance(world.context(), {
    customerUid,
    memberId,
    formNonce: newId('form'),
    replacesKey,
    cardLastFour: card_number.slice(-4),
    consent: { termsVersion: '1', privacyVersion: '1' },
  });
  if (typeof started === 'string') throw new Error(started);
  return { ...started, memberId };
}

/** Registers another card for a key. */
export async function replaceKey(world: World, key: StoredKey, cardNumber: string): Promise<void> {
  const changes = { ...key, card_number: cardNumber };
  const issuance = await beginIssuance(world, changes, { replacesKey: true });
  await sendIssuance(world, issuance, changes);
  await recordKeyOutcome(world.context(), issuance, true);
}

/** An issuance whose answer is lost. */
export async function loseIssuance(
  world: World,
  kind: 'lost_response' | 'reset',
  changes: CardOfKey = {},
  options: Partial<NewIssuance> = {},
): Promise<StoredKey & { id: string }> {
  const { id, customerUid, memberId } = await beginIssuance(world, changes, options);
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind });
  await expect(sendIssuance(world, { customerUid }, changes)).rejects.toThrow();
  await pollLater(world.context(), 'issuance', id, 'no_answer');
  return { customerUid, memberId, id: String(id) };
}

/** The call of an issuance (§4.2). @throws ServiceError */
export const sendIssuance = (
  world: World,
  { customerUid }: { customerUid: string },
  { card_number: cardNumber = CARD.card_number }: CardOfKey = {},
): Promise<void> => world.context().service.issueBillingKey(customerUid, { ...CARD_INPUT, cardNumber });

const newId = (name: string) => `${name}_${randomUUID().replaceAll('-', '')}`;

/** The id of the member who uses this browser (`shop/built-in-members.ts`). */
export async function memberIdOf(browser: MemberBrowser): Promise<string> {
  await browser.get('/cards');
  return browser.cookies.get('member')?.split('.', 1)[0] ?? '';
}

/** The row of a key; undefined if there is none. */
export const keyOf = async ({ rows }: World, customerUid: string) =>
  (await rows.query('select * from billing_keys where customer_uid = $1', [customerUid]))[0];

export const issuancesOf = ({ rows }: World, customerUid: string) =>
  rows.query('select * from billing_key_issuances where customer_uid = $1 order by id', [customerUid]);

/** Rows that a key has left behind: the key, and the events of its card. */
export async function traceOf({ rows }: World, customerUid: string) {
  const [key = null] = await rows.query<Record<string, unknown>>(
    'select member_id, status::text, card_name, card_number, issued_by from billing_keys where customer_uid = $1',
    [customerUid],
  );
  const events = await rows.query<{ type: string }>(
    `select type from events where stream = 'card:' || $1 order by version`,
    [customerUid],
  );
  return { key, events: events.map(({ type }) => type) };
}
