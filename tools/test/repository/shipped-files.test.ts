// Tests use the shop's files as shipped (test/support/shop), so that they pass whatever a shop makes of its own. Here both are the
// same, and nothing but the shop's own tests loads src/merchant/shop.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..', '..');
const SHOP = join(ROOT, 'src', 'merchant', 'shop');
const SHIPPED = join(ROOT, 'test', 'support', 'shop');
/** Files of that folder that no guide tells a shop to change. */
const OURS = ['built-in-members.ts', 'event.ts', 'settings.ts'];
const names = readdirSync(SHOP).filter((name) => !OURS.includes(name));

/** Without comments and types; imports by the file that they lead to. */
function codeOf(file: string): string {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, removeComments: true },
  });
  return outputText.replaceAll(/'(\.[^']+)'/g, (_, path: string) =>
    relative(ROOT, resolve(dirname(file), path)),
  );
}

test.each(names)('the tests use %s as shipped', (name) => {
  expect(codeOf(join(SHIPPED, name))).toBe(codeOf(join(SHOP, name)));
});

test('there is a shipped copy of these files alone', () => {
  expect(readdirSync(SHIPPED)).toEqual(names);
});

test('only the shop’s own tests load them', () => {
  const args = ['--listTests', '--findRelatedTests', ...names.map((name) => join(SHOP, name))];
  const jest = require.resolve('jest/bin/jest');
  const { status, stdout, stderr } = spawnSync(process.execPath, [jest, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const loading = stdout
    .trim()
    .split('\n')
    .map((file) => relative(ROOT, file));
  const expected = ['current-member', 'on-order-event', 'terms'].map((name) =>
    join('test', 'shop', `${name}.test.ts`),
  );
  expect(loading.sort()).toEqual(expected);
});
