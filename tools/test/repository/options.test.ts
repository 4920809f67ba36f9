// What can be removed is named by nothing that stays: platform, core and commands. That none of them imports an option is a rule of
// tools/dependency-cruiser.cjs.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const MERCHANT = join(ROOT, 'src', 'merchant');
const OPTIONS = readdirSync(join(MERCHANT, 'options'));

const files = ['platform', 'core', 'cli'].flatMap((wing) =>
  readdirSync(join(MERCHANT, wing), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `${wing}/${path}`, text: readFileSync(join(MERCHANT, wing, path), 'utf8') })),
);
const schemas = OPTIONS.map((name) => join(ROOT, 'prisma', 'schema', `${name}.prisma`))
  .filter(existsSync)
  .map((path) => readFileSync(path, 'utf8'));
const namesIn = (pattern: RegExp) =>
  schemas.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name));
const tables = namesIn(/^ {2}@@map\("(\w+)"\)/gm);
const models = namesIn(/^(?:model|enum) (\w+)/gm);

/** Where the pattern is found, as "file: text". */
const found = (pattern: RegExp) =>
  files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([hit]) => `${path}: ${hit}`));

test('no folder of an option is named', () => {
  expect(files.length).toBeGreaterThan(200);
  expect(found(new RegExp(`options/(?:${OPTIONS.join('|')})\\b`, 'g'))).toEqual([]);
});

test('no statement reads or writes a table of an option', () => {
  expect(tables.length).toBeGreaterThan(10);
  const sql = `\\b(?:from|join|into|update|table)\\s+(?:${tables.join('|')})\\b`;
  const calls = `\\bdatabase\\.(?:${models.map((name = '') => name[0]?.toLowerCase() + name.slice(1)).join('|')})\\.`;
  expect(found(new RegExp(`${sql}|${calls}`, 'g'))).toEqual([]);
});

test('no type of a row of an option is imported', () => {
  const imports = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^import [^;]*?\{([^}]*)\}[^;]*generated\/prisma\/client';/gm)].flatMap(
      ([, names = '']) => names.split(',').map((name) => ({ path, name: name.trim().replace(/^type /, '') })),
    ),
  );
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter(({ name }) => models.includes(name))).toEqual([]);
});
