// Subscriptions are listed by member, by status and by whether they need a person, the newest first, each with the order of its
// cycle.

import { cancel, getSubscription, HOUR, pass, subscribe, useKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const key = useKey(world);

const list = async (query: string) => (await world.api('GET', `/api/subscriptions?${query}`)).body;
const idsOf = ({ list: rows }: { list: { subscription_id: string }[] }) =>
  rows.map(({ subscription_id }) => subscription_id);

test('the subscriptions of a member are listed as each is read alone', async () => {
  const member = `member_id=${key.memberId}`;
  const first = await subscribe(world, key);
  await pass(world, 60);
  const second = await subscribe(world, key);
  const page = await list(`${member}&limit=1`);
  expect(idsOf(page)).toEqual([second]);
  expect(idsOf(await list(`${member}&limit=1&after=${page.next}`))).toEqual([first]);
  await pass(world, HOUR);
  await cancel(world, second);
  const rows = (await list(member)).list;
  expect(rows).toEqual([await getSubscription(world, second), await getSubscription(world, first)]);
  expect(idsOf(await list(`${member}&status=cancelled`))).toEqual([second]);
  expect(idsOf(await list(`${member}&status=active`))).toEqual([first]);
  expect(idsOf(await list('member_id=nobody'))).toEqual([]);
  expect((await world.api('GET', '/api/subscriptions?status=gone')).status).toBe(400);
});

test('plans that need a person are listed with the others left out, and not once they are over', async () => {
  const fine = await subscribe(world, key);
  const refused = await subscribe(world, key);
  const over = await subscribe(world, key);
  await cancel(world, over);
  // One that a process of the version before has cancelled keeps what its last check has found.
  await world.rows.query(
    `update subscriptions set needs_person = 'order_conflict', needs_person_since = now() where subscription_id = any($1)`,
    [[refused, over]],
  );
  const ofMember = async (needs: boolean) =>
    idsOf(await list(`member_id=${key.memberId}&needs_person=${needs}`));
  expect([await ofMember(true), await ofMember(false)]).toEqual([[refused], [over, fine]]);
  const isNoCase = { needs_person: null, needs_person_since: null };
  expect(await getSubscription(world, over)).toMatchObject(isNoCase);
});
