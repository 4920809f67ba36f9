// package.json of a copy, and what nothing uses any more after parts were removed.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Folders with packages of their own. */
const HOUSES = ['.', 'scripts', 'tools'];
/** Everything but the shop's own files. */
const KERNEL = [
  'scripts/**',
  'src/{local,sandbox}/**',
  'src/merchant/{*,{cli,core,options,payment-service,platform}/**}',
  'test/{browser,support}/**',
  'tools/**',
];

export function readManifest(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

export function writeManifest(root, manifest) {
  writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Removes files and packages that nothing uses any more, as knip finds them, also from the lock files. What is left of a file does not change, although an
 * export may have been there for a removed part: so a later version of that file can be merged. `npm run check -- unused` reports
 * exports of the shop's own files only.
 */
export function removeUnused(root) {
  const manifest = readManifest(root);
  manifest.knip.ignoreIssues = Object.fromEntries(KERNEL.map((path) => [path, ['exports', 'types']]));
  writeManifest(root, manifest);
  const houses = HOUSES.filter((house) => existsSync(join(root, house, 'package.json')));
  const before = houses.map((house) => dependenciesOf(root, house));
  const knip = join(root, 'scripts', 'node_modules', 'knip', 'bin', 'knip.js');
  const flags = [
    '--no-progress',
    '--include=files,dependencies',
    '--fix',
    '--allow-remove-files',
    '--no-exit-code',
  ];
  run(root, process.execPath, knip, ...flags);
  for (const [index, house] of houses.entries())
    // The caller may have removed packages of the root.
    if (house === '.' || dependenciesOf(root, house) !== before[index]) pruneLockFile(join(root, house));
}

function dependenciesOf(root, house) {
  const { dependencies, devDependencies } = readManifest(join(root, house));
  return JSON.stringify([dependencies, devDependencies]);
}

/**
 * Brings package-lock.json to package.json. Nothing is asked of a registry, because the lock file only loses entries. npm works in a
 * folder of its own: it would note in `node_modules` that the packages are gone, also if that is a link.
 */
function pruneLockFile(folder) {
  const files = ['package.json', 'package-lock.json', '.npmrc'];
  const aside = mkdtempSync(join(tmpdir(), 'lock-file-'));
  try {
    for (const name of files) copyFileSync(join(folder, name), join(aside, name));
    const npm = process.env.npm_execpath;
    const flags = ['install', '--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error'];
    if (npm && basename(npm) === 'npm-cli.js') run(aside, process.execPath, npm, ...flags);
    else run(aside, 'npm', ...flags);
    copyFileSync(join(aside, 'package-lock.json'), join(folder, 'package-lock.json'));
  } finally {
    rmSync(aside, { recursive: true });
  }
}

function run(cwd, command, ...args) {
  const shell = command === 'npm' && process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', shell });
  if (status !== 0)
    throw new Error(`${args.join(' ')} has failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
