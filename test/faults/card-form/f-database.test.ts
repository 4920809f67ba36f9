// The database's disk is full while a member registers a card (row F9 of docs/13-faults.md).

import { createMemberBrowser } from '../../support/browsers';
import { CARD_FORM } from '../../support/cards';
import { fillDisk, makeRoom, sortedRows } from '../../support/full-disk';
import { ISSUE_KEY } from '../../support/sandbox-controls';
import { useFreshWorld } from '../../support/use-world';

const world = useFreshWorld();

test('on a full disk a card gets a 503, and nothing is sent', async () => {
  const member = createMemberBrowser(world);
  const form = await member.openForm();
  const register = async () => (await member.post('/cards', { ...form, ...CARD_FORM })).status;
  const before = await sortedRows(world);
  await fillDisk(world, '%');
  expect(await register()).toBe(503);
  expect(await world.sandbox.requests(ISSUE_KEY)).toBe(0);
  expect(await sortedRows(world)).toEqual(before);

  await makeRoom(world);
  expect(await register()).toBe(303);
});
