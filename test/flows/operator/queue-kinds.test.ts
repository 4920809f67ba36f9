// A full action queue, as plain requests without JavaScript: each kind of discrepancy has its own section, kinds about money come
// first, and several of a kind can be resolved at once.

import { en } from '../../../src/merchant/options/operator/texts';
import { signedIn, type OperatorBrowser } from '../../support/browsers';
import { payForNobody, payTwice } from '../../support/discrepancies';
import { newUid, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { resetWorld } from '../../support/reconciliation';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let kim: OperatorBrowser;
beforeEach(async () => {
  await resetWorld(world);
  kim = await signedIn(world, { by: 'kim' });
});

const SEVERAL = '/operator/desk/kinds';

/** Notifications of payments that do not exist, from a listed address. */
async function invent(count: number, of = newUid()): Promise<string> {
  const merchantUid = await registerOrder(world, of);
  for (let n = 0; n < count; n += 1)
    expect((await sendNotification(world, `svc_${of}_${n}`, merchantUid)).outcome).toBe('unknown_payment');
  return merchantUid;
}

/** The ids of their discrepancies. */
async function nobodysPayments(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await payForNobody(world, newUid())).id);
  return ids;
}

/** All discrepancies, the newest first. */
const rows = () =>
  world.rows.query<Record<'id' | 'resolution' | 'resolved_by' | 'resolution_note', string | null>>(
    'select id::text as id, resolution, resolved_by, resolution_note from discrepancies order by first_seen_at desc, discrepancies.id desc',
  );
const openIds = async () =>
  (await rows()).filter(({ resolution }) => resolution === null).map(({ id }) => id);

test('N2 invented payments do not hide a wrong amount in the action queue: kinds with money come first', async () => {
  const wrong = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await paySilently(world, wrong, { amount: 999 });
  expect((await sendNotification(world, svcUid, wrong)).outcome).toBe('amount_mismatch');
  const { second } = await payTwice(world, newUid());
  await invent(25);
  const { html } = await kim.get('/operator/desk?lang=en');
  const headings = [...html.matchAll(/<h2 id="of-[^>]*>([^<]*\))/g)].map(([, text]) => text);
  const { amount_mismatch, duplicate_payment, unknown_payment } = en.operator.statuses;
  expect(headings).toEqual([`${amount_mismatch} (1)`, `${duplicate_payment} (1)`, `${unknown_payment} (25)`]);
  const links = [...html.matchAll(/href="(\/operator\/desk\/discrepancies\/\d+)\?/g)].map(([, path]) => path);
  // The newest twenty of a kind. The first one is open beside the queue.
  expect(links).toHaveLength(22);
  expect(html).toContain(`>${svcUid}</a>`);
  expect((await kim.get(links[1] ?? '')).html).toContain(`>${second}</a>`);
});

test('one decision resolves all shown discrepancies of a kind, and is stored for each', async () => {
  await invent(25);
  const { html } = await kim.get(`${SEVERAL}/unknown_payment?lang=en`);
  const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? '';
  expect(shown.split(' ')).toEqual((await rows()).map(({ id }) => id));
  // Later discrepancies were not shown.
  await invent(1);
  const decision = { resolution: 'ignored', note: 'a flood of invented ids', which: 'shown', shown };
  const answer = await kim.post(`${SEVERAL}/unknown_payment/resolve`, decision);
  expect([answer.status, answer.location]).toEqual([303, `${SEVERAL}/unknown_payment?done=settled`]);
  const [newest, ...others] = await rows();
  expect(newest?.resolution).toBeNull();
  expect(others).toHaveLength(25);
  const written = { resolution: 'ignored', resolved_by: 'kim', resolution_note: decision.note };
  for (const row of others) expect(row).toMatchObject(written);
  expect(world.log.events('decision')).toHaveLength(25);
});

test('each selected discrepancy is checked separately, and refusals are listed with the reason', async () => {
  const { id: given, svcUid } = await payForNobody(world, newUid());
  const [held, settled, unticked] = await nobodysPayments(3);
  await world.sandbox.control(svcUid, 'cancel');
  const one = { resolution: 'accepted', note: 'agreed' };
  await kim.post(`/operator/desk/discrepancies/${settled}/resolve`, one);
  const fields = { resolution: 'refunded', note: 'refunded in the console', which: 'selected', shown: '' };
  const path = `${SEVERAL}/unknown_order/resolve`;
  const id = [given, held, settled, '999999'].map(String);
  const answer = await kim.post(`${path}?lang=en`, { ...fields, id });
  expect(answer.status).toBe(409);
  const { codes } = en.operator.failed;
  expect(refusedIn(answer.html)).toEqual([
    [held, expect.stringContaining('1000 KRW')],
    [settled, codes.already_settled],
    ['999999', codes.discrepancy_not_found],
  ]);
  expect(await openIds()).toEqual([unticked, held]);
  const by = (await rows()).find((row) => row.id === given);
  expect(by).toMatchObject({ resolution: 'refunded', resolved_by: 'kim' });
});

test('nothing is resolved without a selection, a reason, or from another site', async () => {
  const { id } = await payForNobody(world, newUid());
  const path = `${SEVERAL}/unknown_order/resolve?lang=en`;
  const fields = { resolution: 'ignored', note: 'a test', which: 'selected', shown: id };
  const post = (changes: Record<string, string | string[]>, headers = {}) =>
    kim.post(path, { ...fields, ...changes }, headers);
  const tooMany = Array.from({ length: 101 }, (_, n) => String(n + 1));
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  await expectNoEffect(world, async () => {
    for (const wrong of [{}, { id, note: ' ' }, { id: '1 or 1=1' }, { id: tooMany }, { id, more: 'x' }])
      expect([wrong, (await post(wrong)).status]).toEqual([wrong, 400]);
    expect((await post({ id }, elsewhere)).status).toBe(403);
  });
  expect((await kim.get(`${SEVERAL}/no_such_kind`)).status).toBe(404);
});

/** The id of each one that stays open, and the reason on the page. */
function refusedIn(html: string): string[][] {
  const list = html.split('<section class="panel" role="status"')[1]?.split('</section>')[0] ?? '';
  const items = [...list.matchAll(/<li><a [^>]*>([^<]*)<\/a>([^]*?)<\/li>/g)];
  return items.map(([, id = '', why = '']) => [id, why.trim()]);
}
