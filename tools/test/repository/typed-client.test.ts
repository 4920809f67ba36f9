// The typed client of docs/03-guides/9-testing.md: its command generates the types from a running merchant, and its program compiles
// with them and charges a card.

import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { API_KEY } from '../../../test/support/config';
import { registerKey } from '../../../test/support/keys';
import { ROOT } from '../../../test/support/shop-copy';
import { useWorld } from '../../../test/support/use-world';

const run = promisify(execFile);
const guide = readFileSync(join(ROOT, 'docs', '03-guides', '9-testing.md'), 'utf8');
const program = /^```ts\n([^]*?)^```$/m.exec(guide)?.[1] ?? '';
const [, name = '', args = ''] = /^npx (\S+) (.+)$/m.exec(guide) ?? [];

const COMPILER_OPTIONS = '--noEmit --strict --target es2023 --module node20 --types node --skipLibCheck';

const world = useWorld();
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typed-client-'));
  for (const path of ['node_modules/@types', 'tools/node_modules/openapi-fetch']) {
    const link = join(folder, path.replace('tools/', ''));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, path), link);
  }
  writeFileSync(join(folder, 'program.ts'), program);
  await runBinary(name, args.replace('http://localhost:3000', world.url).split(' '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the program of the guide compiles with the generated types', async () => {
  const { stdout } = await runBinary('tsc', [...COMPILER_OPTIONS.split(' '), 'program.ts']);
  expect(stdout).toBe('');
});

test('the program of the guide charges a card of the member', async () => {
  expect(await runProgram()).toBe('the member has no card that can be charged\n');
  await registerKey(world);
  await world.rows.query(`update billing_keys set member_id = 'member-7'`);
  expect(await runProgram()).toBe('the order is paid\n');
  const { body } = await world.api('GET', '/api/orders/order-2001');
  expect(body).toMatchObject({ status: 'paid', amount: 12000, member_id: 'member-7' });
});

async function runProgram(): Promise<string> {
  const env = { ...process.env, MERCHANT: world.url, API_KEY };
  const flags = ['--require', require.resolve('tsx/cjs'), 'program.ts'];
  return (await run(process.execPath, flags, { cwd: folder, env })).stdout;
}

/** A command of an installed package, as `npx` runs it. Throws the output of a failed command. */
async function runBinary(binary: string, binaryArgs: string[]) {
  try {
    const places = ['.', 'tools'].map((each) => join(ROOT, each, 'node_modules', '.bin', binary));
    return await run(places.find(existsSync) ?? binary, binaryArgs, { cwd: folder });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${binary} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
