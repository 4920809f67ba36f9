// The stored keys of members: how a test gets one, and the rows and calls that it asserts beside the answer of a page.

import { CARD_FIELDS } from '../../src/merchant/billing-keys/card-input';
import { createMemberBrowser, type Fields, type MemberBrowser } from './member-browser';
import { expectNoEffect } from './no-effect';
import type { World } from './world';

export type StoredKey = { customerUid: string; memberId: string };

/** A card of a new member, registered through the form. */
export async function registerKey(world: World, changes: Fields = {}): Promise<StoredKey> {
  const { customerUid } = await createMemberBrowser(world).register(changes);
  const key = await keyOf(world, customerUid);
  return { customerUid, memberId: String(key?.['member_id']) };
}

/** The row of a key; undefined where there is none. */
export const keyOf = async ({ rows }: World, customerUid: string) =>
  (await rows.query('select * from billing_keys where customer_uid = $1', [customerUid]))[0];

export const issuancesOf = ({ rows }: World, customerUid: string) =>
  rows.query('select * from billing_key_issuances where customer_uid = $1 order by id', [customerUid]);

/** Posts a form that must be refused: no call, no row, and nothing of the card in the answer. */
export async function expectRefusedUnsent(
  world: World,
  member: MemberBrowser,
  status: number,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await expectNoEffect(world, () => member.post('/cards', fields, headers));
  expect(answer.status).toBe(status);
  for (const trace of cardTraces(fields)) expect(answer.html).not.toContain(trace);
}

/** Every value of a card that may stand nowhere afterwards, with and without its separators. */
export function cardTraces(fields: Fields): string[] {
  const values = CARD_FIELDS.filter((name) => name !== 'pwd_2digit').flatMap((name) => fields[name] ?? []);
  return values.flatMap((value) => [value, value.replace(/[ -]/g, '')]).filter((value) => value.length >= 6);
}
