// An erasure deletes the card links of the member: those that are there, and those that are made meanwhile.

import { createMemberBrowser } from '../../../support/browsers';
import { DELETE_KEY, erase } from '../../../support/erasure';
import { registerKey } from '../../../support/keys';
import { useWorld } from '../../../support/use-world';

const world = useWorld();

async function linkFor(memberId: string): Promise<string> {
  const answer = await world.api('POST', `/api/members/${memberId}/card-link`, {});
  const { pathname, search } = new URL(answer.body.url as string);
  return `${pathname}${search}`;
}
const statusOf = async (path: string) => (await createMemberBrowser(world).get(path)).status;

test('an erasure deletes the links of the member at once', async () => {
  const link = await linkFor('leaving');
  expect(await statusOf(link)).toBe(200);
  expect((await erase(world, 'leaving')).body).toMatchObject({ status: 'erased' });
  expect(await statusOf(link)).toBe(410);
  expect(await world.rows.dump()).not.toContain('leaving');
});

test('a link that is made during an erasure is deleted with the rest', async () => {
  await registerKey(world, { memberId: 'leaves-slowly' });
  await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'status', status: 503 });
  expect((await erase(world, 'leaves-slowly')).status).toBe(202);
  const link = await linkFor('leaves-slowly');
  await world.sandbox.clearFaults();
  await world.runEveryMinute(60);
  await world.runEveryMinute(60);
  expect(await statusOf(link)).toBe(410);
  expect(await world.rows.dump()).not.toContain('leaves-slowly');
});
