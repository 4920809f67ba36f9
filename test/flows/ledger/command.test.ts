// `npm run tool -- ledger` beside a merchant: it imports a settlement file, and says which rows it has not stored.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../../../src/merchant/options/ledger/command';
import { runHere } from '../../support/beside-world';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const run = (...args: string[]) => runHere(world, command, args);

const folder = mkdtempSync(join(tmpdir(), 'settlement-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
function fileOf(...lines: string[]): string {
  const path = join(folder, 'settlement.csv');
  writeFileSync(path, ['svc_uid,amount,fee,paid_out_on', ...lines].join('\n'));
  return path;
}

test('a file is imported, again without a change, and with a row that fits nothing', async () => {
  const merchantUid = await registerOrder(world, newUid());
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount: 1000 });
  const row = `${svcUid},1000,28,2026-11-25`;
  const first = await run('import', fileOf(row), '--by', 'kim');
  expect([first.exitCode, first.output]).toEqual([
    0,
    '1 rows: 1 added, 0 unchanged, 0 changed, 0 not stored\n',
  ]);
  expect(first.errors).toContain('"event":"settlement_imported","by":"kim","added":1');
  const { body } = await world.api('GET', '/api/ledger');
  expect(body.list).toMatchObject([{ svc_uid: svcUid, fee: 28, paid_out_on: '2026-11-25' }]);

  const second = await run('import', fileOf(row, 'svc_nobody,5,0,2026-11-25', `${svcUid},x,0,2026-11-25`));
  expect(second.exitCode).toBe(1);
  expect(second.output.split('\n')).toEqual([
    '3 rows: 0 added, 1 unchanged, 0 changed, 2 not stored',
    'line 4: amount cannot be read',
    'line 3: svc_nobody payment 5: no such movement in the ledger',
    '',
  ]);
});

test('a file that is not there, or without the columns, and wrong arguments end with 2', async () => {
  writeFileSync(join(folder, 'other.csv'), 'a,b\n1,2\n');
  const other = await run('import', join(folder, 'other.csv'));
  expect(other.errors).toContain('has no column svc_uid, amount, fee, paid_out_on; its columns are a, b.');
  const missing = await run('import', join(folder, 'none.csv'));
  expect(missing.errors).toContain('ENOENT');
  const wrong = await run('export');
  expect([other, missing, wrong].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
});
