// `npm run tool` is a group of programs: `npm run tool -- sbom sbom.cdx.json` runs one of them with its arguments, and
// `npm run tool` lists all. `npm run proof`, `npm run bench` and more programs of `npm run tool` come from tools/programs.json.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Keyed by name: the file and its description. TypeScript files run from source. */
const TOOLS = {
  ledger: ['src/merchant/options/ledger/command.ts', 'imports a settlement file: import <file>'],
  operators: [
    'src/merchant/options/operator/command.ts',
    'lists, adds, changes and disables accounts of operators',
  ],
  restored: ['src/merchant/cli/restored.ts', 'after a database was restored from a backup'],
  merchant: ['src/merchant/server.ts', 'the merchant alone'],
  sandbox: ['src/sandbox/server.ts', 'the sandbox alone'],
  'new-migration': ['scripts/migrations.ts', 'writes the migration for prisma/schema: <name>'],
  'remove-option': ['scripts/remove-option.mjs', 'removes options from this copy: <name...>'],
  'without-sandbox': ['scripts/without-sandbox.mjs', 'removes the sandbox from this copy'],
  sbom: ['scripts/sbom.mjs', 'CycloneDX list of the production software: [file]'],
};
/** They end with the programs of `npm run check`. */
const CHECK = ['remove-option', 'without-sandbox'];
const OTHERS = join(root, 'tools', 'programs.json');
/** The same, keyed by group. */
const programsOfTools = existsSync(OTHERS) ? JSON.parse(readFileSync(OTHERS, 'utf8')) : {};

const [group, name, ...rest] = process.argv.slice(2);
// The program of a removed option is gone.
const programs = Object.entries({ ...(group === 'tool' ? TOOLS : {}), ...programsOfTools[group] }).filter(
  ([, [path]]) => existsSync(join(root, path)),
);
const [file, , ...flags] = programs.find(([each]) => each === name)?.[1] ?? [];
if (file === undefined) list();
else {
  // npm removes the first "--"; some people type a second one.
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  const source = file.endsWith('.ts') ? ['--import', 'tsx', '--enable-source-maps'] : [];
  const needed = file.startsWith('tools/') ? ['--tools'] : CHECK.includes(name) ? ['--check'] : [];
  // A server may have the packages of production alone, and installs no others.
  const isReady = needed.length === 0 && existsSync(join(root, 'node_modules'));
  if (isReady || node(join(root, 'scripts', 'bootstrap.mjs'), ...needed) === 0)
    process.exitCode = node(...source, ...flags, join(root, file), ...args);
}

/** @returns the exit code */
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  return process.exitCode;
}

function list() {
  if (name !== undefined) console.error(`Unknown program "${name}".`);
  const width = Math.max(...programs.map(([each]) => each.length));
  for (const [each, [, does]] of programs) console.log(`npm run ${group} -- ${each.padEnd(width)}  ${does}`);
  process.exitCode = name === undefined ? 0 : 2;
}
