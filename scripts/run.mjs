// `npm run proof`, `npm run bench` and `npm run tool` are groups of programs. `npm run tool -- sbom sbom.cdx.json` runs one program
// with its arguments; `npm run tool` lists all.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Keyed by group and name: the file and its description. TypeScript files run from source. */
const PROGRAMS = {
  proof: {
    simulate: ['proof/simulate.ts', 'randomised simulation: [how many] [first seed]'],
    properties: ['proof/properties.ts', 'the property tests with more runs: [how often] [seed]'],
    'kill-loop': ['proof/kill-loop.ts', 'kills processes under load: [how often] [seed]'],
    fuzz: ['proof/fuzz.ts', 'hostile requests: <how many> [seed]'],
    soak: ['proof/soak.ts', 'load for hours, with memory checks: [minutes] [seed]'],
    'planted-bugs': ['proof/planted-bugs/run.ts', 'removes one safeguard at a time: [name...]'],
    mutations: ['proof/mutations/run.ts', 'changes one expression at a time: [part of a path...]'],
    removal: ['scripts/check-removal.mjs', 'removes every option'],
  },
  bench: {
    intake: [
      'bench/intake/intake.ts',
      'notifications, compared with limit programs; writes docs/performance',
    ],
    quick: ['bench/intake/compare.ts', 'a short version of intake'],
    beside: ['bench/intake/beside-checkout.ts', 'compares with another commit: <folder of a clone>'],
    profile: ['bench/profile.ts', 'CPU profile of a notification'],
    'profile-registration': ['bench/pages/profile-registration.ts', 'CPU profile of a card registration'],
    processes: ['bench/two-processes.ts', 'one process and two processes'],
    pages: ['bench/pages/pages.ts', 'pages, lists, start, memory'],
    overload: ['bench/overload.ts', 'more notifications than one process can check: [a second] [seconds]'],
    backlog: ['bench/backlog.ts', 'a backlog after an outage of the service'],
    size: ['bench/at-size.ts', 'with data of several years'],
    reconciliation: [
      'bench/reconciliation-repair.ts',
      'reconciliation with lost notifications',
      '--max-semi-space-size=64',
    ],
    'card-testing': ['bench/card-testing.ts', 'the card form under attack'],
    sandbox: ['bench/sandbox-scale.ts', 'the sandbox with many payments'],
  },
  tool: {
    'api-keys': ['src/merchant/cli/api-keys.ts', 'lists, makes and revokes API keys'],
    ledger: ['src/merchant/cli/ledger.ts', 'imports a settlement file: import <file>'],
    operators: ['src/merchant/cli/operator.ts', 'lists, adds, changes and disables accounts of operators'],
    settle: ['src/merchant/cli/settle.ts', "records a person's decision: <kind> <id> <decision>"],
    restored: ['src/merchant/cli/restored.ts', 'after a database was restored from a backup'],
    merchant: ['src/merchant/server.ts', 'the merchant alone'],
    sandbox: ['src/sandbox/server.ts', 'the sandbox alone'],
    'new-migration': ['scripts/migrations.ts', 'writes the migration for prisma/schema.prisma: <name>'],
    'remove-option': ['scripts/remove-option.mjs', 'removes options from this copy: <name...>'],
    'without-sandbox': ['scripts/without-sandbox.mjs', 'removes the sandbox from this copy'],
    bruno: ['scripts/api-docs/bruno.ts', 'writes docs/bruno'],
    'sandbox-clients': ['scripts/clients/run.ts', 'published clients against the sandbox'],
    'first-minutes': ['scripts/first-minutes.ts', 'seconds from git clone to a paid order'],
    screenshots: ['scripts/pages/screenshot.ts', 'writes docs/screenshots'],
    lighthouse: ['scripts/pages/lighthouse.ts', 'Lighthouse and axe on every page'],
    sbom: ['scripts/sbom.mjs', 'CycloneDX list of the production software: [file]'],
  },
};

const [group, name, ...rest] = process.argv.slice(2);
// The program of a removed option is gone.
const programs = Object.entries(PROGRAMS[group]).filter(([, [path]]) => existsSync(join(root, path)));
const [file, , ...flags] = programs.find(([each]) => each === name)?.[1] ?? [];
if (file === undefined) list();
else {
  // npm removes the first "--"; some people type a second one.
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  const source = file.endsWith('.ts') ? ['--import', 'tsx', '--enable-source-maps'] : [];
  const { status } = spawnSync(process.execPath, [...source, ...flags, join(root, file), ...args], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

function list() {
  if (name !== undefined) console.error(`Unknown program "${name}".`);
  const width = Math.max(...programs.map(([each]) => each.length));
  for (const [each, [, does]] of programs) console.log(`npm run ${group} -- ${each.padEnd(width)}  ${does}`);
  process.exitCode = name === undefined ? 0 : 2;
}
