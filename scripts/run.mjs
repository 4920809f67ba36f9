// `npm run proof`, `npm run bench` and `npm run tool`: each is a group of programs. `npm run tool -- sbom sbom.cdx.json` runs one
// of them with its arguments; `npm run tool` lists them.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** By group and name: the file and what it does. A TypeScript file is run from its source. */
const PROGRAMS = {
  proof: {
    simulate: ['proof/simulate.ts', 'randomised simulation: [how many] [first seed]'],
    properties: ['proof/properties.ts', 'each property of the tests, more often: [how often] [seed]'],
    'kill-loop': ['proof/kill-loop.ts', 'kills processes under load: [how often] [seed]'],
    fuzz: ['proof/fuzz.ts', 'hostile requests: <how many> [seed]'],
    soak: ['proof/soak.ts', 'works for hours and watches memory: [minutes] [seed]'],
    'planted-bugs': ['proof/planted-bugs/run.ts', 'breaks one safeguard at a time: [name...]'],
    mutations: ['proof/mutations/run.ts', 'changes one expression at a time: [part of a path...]'],
    removal: ['scripts/check-removal.mjs', 'every option comes off'],
  },
  bench: {
    intake: ['bench/intake/intake.ts', 'a notification, beside the limits; writes docs/performance'],
    quick: ['bench/intake/compare.ts', 'the same, short'],
    beside: ['bench/intake/beside-checkout.ts', 'beside another commit: <folder of a clone>'],
    profile: ['bench/profile.ts', 'where the time of a notification goes'],
    'profile-registration': ['bench/pages/profile-registration.ts', 'where the time of a registration goes'],
    processes: ['bench/two-processes.ts', 'one process and two'],
    pages: ['bench/pages/pages.ts', 'pages, lists, start, memory'],
    backlog: ['bench/backlog.ts', 'a backlog after an outage of the service'],
    size: ['bench/at-size.ts', 'with the books of some years'],
    reconciliation: [
      'bench/reconciliation-repair.ts',
      'a reconciliation that repairs',
      '--max-semi-space-size=64',
    ],
    'card-testing': ['bench/card-testing.ts', 'the card form under attack'],
    sandbox: ['bench/sandbox-scale.ts', 'the sandbox with many payments'],
  },
  tool: {
    'new-migration': ['scripts/migrations.ts', 'writes the migration to prisma/schema.prisma: <name>'],
    'remove-option': ['scripts/remove-option.mjs', 'takes options out of this copy: <name...>'],
    'without-sandbox': ['scripts/without-sandbox.mjs', 'takes the sandbox out of this copy'],
    bruno: ['scripts/api-docs/bruno.ts', 'writes docs/bruno'],
    'sandbox-clients': ['scripts/clients/run.ts', 'published clients against the sandbox'],
    'first-minutes': ['scripts/first-minutes.ts', 'seconds from git clone to a paid order'],
    screenshots: ['scripts/pages/screenshot.ts', 'writes docs/screenshots'],
    lighthouse: ['scripts/pages/lighthouse.ts', 'Lighthouse and axe on every page'],
    sbom: ['scripts/sbom.mjs', 'what runs in production, as CycloneDX: [file]'],
  },
};

const [group, name, ...rest] = process.argv.slice(2);
const [file, , ...flags] = PROGRAMS[group][name] ?? [];
if (file === undefined) list();
else {
  // npm passes the first "--" on to nobody; a second one is habit.
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  const source = file.endsWith('.ts') ? ['--import', 'tsx', '--enable-source-maps'] : [];
  const { status } = spawnSync(process.execPath, [...source, ...flags, join(root, file), ...args], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

function list() {
  if (name !== undefined) console.error(`There is no "${name}".`);
  const programs = Object.entries(PROGRAMS[group]);
  const width = Math.max(...programs.map(([each]) => each.length));
  for (const [each, [, does]] of programs) console.log(`npm run ${group} -- ${each.padEnd(width)}  ${does}`);
  process.exitCode = name === undefined ? 0 : 2;
}
