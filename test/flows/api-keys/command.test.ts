// `npm run tool -- api-keys` beside a merchant: it makes a key that the server takes at once, lists it without the key,
// and revokes it.

import { command } from '../../../src/merchant/cli/api-keys';
import { ask } from '../../support/ask';
import { runHere } from '../../support/beside-world';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const run = (...args: string[]) => runHere(world, command, args);
const statusWith = async (key: string) =>
  (await ask(world.url, 'GET', '/api/orders', { headers: { authorization: `Bearer ${key}` } })).status;

test('a key is made, used, listed and revoked by command', async () => {
  const made = await run('make', 'warehouse', '--scopes', 'read,orders', '--by', 'lee', '--json');
  expect(made.exitCode).toBe(0);
  const { id, key } = JSON.parse(made.output) as { id: string; key: string };
  expect(await statusWith(key)).toBe(200);
  // The log of the command is on standard error, without the key.
  expect(made.errors).toContain('"by":"lee"');
  expect(made.errors).not.toContain(key);

  const list = await run();
  expect(list.output).toMatch(new RegExp(`^${id}  warehouse  read,orders  last used 20`));
  expect(list.output).not.toContain(key);
  expect((await run('make', 'warehouse', '--scopes', 'read')).exitCode).toBe(1);

  expect((await run('revoke', id)).exitCode).toBe(0);
  expect(await statusWith(key)).toBe(401);
  expect((await run()).output).toContain('revoked');
});

test.each([
  ['make', 'other', '--scopes', 'everything'],
  ['make', 'Other', '--scopes', 'read'],
  ['make', 'other'],
  ['revoke', '99'],
  ['revoke', 'warehouse'],
  ['lose', '1'],
])('api-keys %s %s is refused with 2', async (...args) => {
  const { exitCode, output } = await run(...args);
  expect([exitCode, output]).toEqual([2, '']);
});
