// The card form: registered cards of members, and counted attempts.

import { CARD_FIELDS } from '../../../src/merchant/options/card-form/card-input';
import { createMemberBrowser, type Answer, type Fields, type MemberBrowser } from '../browsers';
import { CARD_FORM } from '../cards';
import { metric } from '../metrics';
import { expectNoEffect } from '../rows';
import { ISSUE_KEY } from '../sandbox-controls';
import type { World } from '../world';

/** Posts a form that must be refused without a call, a row, or card data in the answer. */
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

/** Every value of a card that must not appear anywhere, with and without separators. */
export function cardTraces(fields: Fields): string[] {
  const values = CARD_FIELDS.filter((name) => name !== 'pwd_2digit').flatMap((name) => fields[name] ?? []);
  return values.flatMap((value) => [value, value.replace(/[ -]/g, '')]).filter((value) => value.length >= 6);
}

const SECONDS_TO_FILL_IN = 3;

/** Each attempt has its own card. */
let cards = 0;
export function newCard(): Fields {
  cards += 1;
  return { ...CARD_FORM, card_number: `9410-1000-0000-${String(cards).padStart(4, '0')}` };
}

/** Each stranger is a new member, from a new address in a new network. */
let strangers = 0;
export function stranger(world: World): MemberBrowser {
  strangers += 1;
  const address = `2001:db8:${strangers.toString(16)}::1`;
  const browser = createMemberBrowser(world);
  return {
    ...browser,
    post: (path, fields, headers = {}) =>
      browser.post(path, fields, { 'x-forwarded-for': address, ...headers }),
  };
}

/** Opens the form several times, and waits until it can be posted. */
export async function openForms(
  { clock }: World,
  member: MemberBrowser,
  count: number,
  path = '/cards/new',
): Promise<Awaited<ReturnType<MemberBrowser['openForm']>>[]> {
  const forms = [await member.openForm(path)];
  while (forms.length < count) forms.push(await member.openForm(path));
  clock.advance(SECONDS_TO_FILL_IN);
  return forms;
}

export function postCard(
  member: MemberBrowser,
  fields: Fields,
  headers: Record<string, string> = {},
  path = '/cards',
): Promise<Answer> {
  return member.post(path, { ...fields, register_again: 'on' }, headers);
}

/** Opens a form, fills it in and posts it. */
export async function attempt(
  world: World,
  member: MemberBrowser,
  changes: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer & { customerUid: string }> {
  const [form] = await openForms(world, member, 1);
  const answer = await postCard(member, { ...form, ...newCard(), ...changes }, headers);
  return { ...answer, customerUid: String(form?.customer_uid) };
}

/** A declined attempt of a new member, from this address or a new one. */
export async function attemptDeclined(world: World, address?: string): Promise<void> {
  const body = { code: 1, message: '한도 초과' };
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 1 });
  const headers: Record<string, string> = address === undefined ? {} : { 'x-forwarded-for': address };
  expect((await attempt(world, stranger(world), {}, headers)).status).toBe(400);
}

/** Empties the buckets of these limits. */
export async function emptyBuckets({ rows }: World, ...names: string[]): Promise<void> {
  await rows.query(`update card_limits set expire = 1 where split_part(key, ':', 1) = any($1)`, [names]);
}

/** Resets the counts of attempts and the log. */
export async function forgetAttempts(world: World): Promise<void> {
  await world.sandbox.clearFaults();
  await world.rows.query('delete from card_limits');
  await world.forgetJobs();
  world.log.clear();
}

/** The number of attempts refused by a limit since the start of the server. */
export function countOf(world: World, limit: string): Promise<number> {
  return metric(world, `merchant_card_limits_total{limit="${limit}"}`);
}
