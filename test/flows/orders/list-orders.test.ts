// Orders are listed in the order of their changes, so that another system can follow them.

import { paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeAll(async () => {
  // Three at one time, and three a minute later.
  for (const name of ['a', 'b', 'c']) await registerOrder(world, `list-${name}`);
  world.clock.advance(60);
  for (const name of ['d', 'e', 'f']) await registerOrder(world, `list-${name}`);
});

const list = async (query: string) => (await world.api('GET', `/api/orders?${query}`)).body;
const uids = (page: { list: { merchant_uid: string }[] }) =>
  page.list.map(({ merchant_uid }) => merchant_uid);

/** All pages of a list, two orders a page. */
async function follow(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let after = '';
  for (;;) {
    const page = await list(`${query}&limit=2${after}`);
    pages.push(uids(page));
    if (page.next === null) return pages;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
}

test('pages follow each other without a gap, also through orders of one time', async () => {
  expect(await follow('status=open')).toEqual([
    ['list-a', 'list-b'],
    ['list-c', 'list-d'],
    ['list-e', 'list-f'],
  ]);
});

test('an order that changes moves to the end, with its payments', async () => {
  const { svc_uid } = await paySilently(world, 'list-b');
  world.clock.advance(60);
  await sendNotification(world, svc_uid, 'list-b');
  expect(uids(await list('limit=100'))).toEqual(['list-a', 'list-c', 'list-d', 'list-e', 'list-f', 'list-b']);
  const paid = await list('status=paid');
  expect(paid).toMatchObject({ list: [{ merchant_uid: 'list-b', payments: [{ svc_uid }] }], next: null });
  const since = new Date(world.clock.nowMs() - 30_000).toISOString();
  expect(uids(await list(`updated_from=${since}`))).toEqual(['list-b']);
});

test('a filter that is none is refused', async () => {
  const { status, body } = await world.api('GET', '/api/orders?page=2');
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
