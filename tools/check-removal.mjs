// `npm run proof -- removal`: every option of src/merchant/options can be removed. In copies of this repository it removes none,
// each option alone, then all, with scripts/remove-option.mjs. Types and lint must pass each time; with all options removed, the
// tests of the core must pass too, one of which starts the programs as processes. `types` or `tests` as an argument runs one half.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OPTIONS = join('src', 'merchant', 'options');
/** The only file that a removal changes. */
const CHANGED = join('src', 'merchant', 'features.ts');
const NOT_COPIED = ['node_modules', join('tools', 'node_modules'), '.git', '.data', 'dist', 'coverage'];
/**
 * What `npm test` runs in a copy without options: tests that load `features.ts`. The other unit tests of the core load no option,
 * as the check of imports proves, so they cannot end differently here.
 */
const CORE_TESTS = { flows: ['test/flows', 'test/merchant/core/orders'] };
/** Slow tests about outages, connections and the database itself. No option affects them, and `npm test` runs them. */
const LEFT_OUT = [
  ...['database-limits', 'database-roles', 'database-tls', 'migrations', 'pooler'],
  'http/readiness',
  ...['database-down', 'outage', 'paced', 'silent-connection', 'stored-and-unwritten'].map(
    (name) => `webhooks/${name}`,
  ),
  ...['backlog-statements', 'claims', 'newer-generation', 'notifications-by-time', 'signed'].map(
    (name) => `webhooks/${name}`,
  ),
  ...['answer-headers', 'connections'].map((name) => `http/${name}`),
  'events/deliver-to-url',
].map((name) => `flows/${name}.test.ts`);

const folder = mkdtempSync(join(tmpdir(), 'check-removal-'));
const began = performance.now();
const options = readdirSync(join(root, OPTIONS));
const halves = process.argv.length > 2 ? process.argv.slice(2) : ['types', 'tests'];
let failed = 0;
try {
  const tests = halves.includes('tests') ? startCoreTests() : null;
  if (halves.includes('types')) await checkTypes();
  await tests;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? `Every option can be removed (${secondsSince(began)} s)` : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function checkTypes() {
  const types = createTypeCheck();
  // Each TypeScript program reuses the first one, so only files affected by the removal are checked again. ESLint uses its types.
  await checkWithout([], ['.']);
  types.learnExports(CHANGED);
  for (const option of options) await checkWithout([option], [CHANGED]);
  await checkWithout(options, [join('src', 'merchant')]);

  async function checkWithout(names, linted) {
    const since = performance.now();
    const { path, title } = copyWithout(names);
    const { problems, program } = types.check(path);
    const warnings = await lint(path, program, linted);
    report(`${title}: types, lint`, since, [...problems, ...warnings].join('\n'));
  }
}

function report(name, since, problems) {
  if (problems !== '') failed += 1;
  console.log(`${name}: ${problems === '' ? 'passed' : 'FAILED'} (${secondsSince(since)} s)`);
  if (problems !== '') console.log(problems);
}

/** Copies the working tree, always to the same place, without the named options and those that need them. */
function copyWithout(names, place = 'copy') {
  const path = join(folder, place);
  rmSync(path, { recursive: true, force: true });
  cpSync(root, path, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => !NOT_COPIED.includes(relative(root, source)),
  });
  for (const name of ['.', 'tools'])
    symlinkSync(join(root, name, 'node_modules'), join(path, name, 'node_modules'), 'junction');
  if (names.length === 0) return { path, title: 'with every option' };
  const script = join(path, 'scripts', 'remove-option.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...names], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`remove-option ${names.join(' ')}: ${stderr}`);
  const [, removed = ''] = /^Removed: (.*)\. Now/.exec(stdout) ?? [];
  return { path, title: `without ${names.length === options.length ? 'all options' : removed}` };
}

/** `tsc --noEmit` of a folder, and then of changed ones. */
function createTypeCheck() {
  const files = new Map();
  let first;
  return {
    /**
     * TypeScript notes what a file exports at its first change, and checks all its importers then. After later changes it
     * checks them only if the exports have changed.
     */
    learnExports(name) {
      const path = join(folder, 'copy');
      appendFileSync(join(path, name), '\n');
      first = check(path).builder;
    },
    check(path) {
      const { builder, diagnostics } = check(path);
      first ??= builder;
      return { problems: diagnostics.length > 0 ? [format(diagnostics)] : [], program: builder.getProgram() };
    },
  };
  function check(path) {
    const config = ts.getParsedCommandLineOfConfigFile(join(path, 'tsconfig.json'), undefined, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(format([diagnostic]));
      },
    });
    const host = ts.createIncrementalCompilerHost(config.options);
    const read = host.getSourceFile;
    // A file that has not changed is parsed once.
    host.getSourceFile = (name, ...rest) => {
      const { mtimeMs = 0, size = 0 } = statSync(name, { throwIfNoEntry: false }) ?? {};
      const known = files.get(name);
      if (known?.mtimeMs === mtimeMs && known.size === size) return known.file;
      const file = read(name, ...rest);
      files.set(name, { mtimeMs, size, file });
      return file;
    };
    const { fileNames, options, errors } = config;
    const builder = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, first, errors);
    const diagnostics = [
      ...builder.getConfigFileParsingDiagnostics(),
      ...builder.getOptionsDiagnostics(),
      ...builder.getGlobalDiagnostics(),
      ...builder.getSyntacticDiagnostics(),
      ...builder.getSemanticDiagnostics(),
    ];
    return { builder, diagnostics };
  }
}

function format(diagnostics) {
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  });
}

/** @param program reused for the type-aware rules, so that ESLint does not create another one */
async function lint(path, program, linted) {
  const eslint = new ESLint({
    cwd: path,
    overrideConfigFile: join(path, 'tools', 'eslint.config.mjs'),
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { projectService: false, programs: [program] } },
    },
  });
  const results = await eslint.lintFiles(linted);
  const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
  return isClean ? [] : [await (await eslint.loadFormatter('stylish')).format(results)];
}

/** Runs in a process of its own, in parallel. */
async function startCoreTests() {
  const since = performance.now();
  const { path } = copyWithout(options, 'tests');
  writeFileSync(join(path, 'test', 'groups', 'folders.json'), JSON.stringify(CORE_TESTS));
  for (const name of LEFT_OUT) rmSync(join(path, 'test', name));
  for (const name of readdirSync(join(path, 'test', 'groups')))
    if (name.startsWith('unit-')) rmSync(join(path, 'test', 'groups', name));
  const results = join(folder, 'results.json');
  const log = join(folder, 'log');
  const output = openSync(log, 'w');
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, '--json', `--outputFile=${results}`], {
    cwd: path,
    stdio: ['ignore', 'ignore', output],
  });
  const [code] = await once(child, 'close');
  closeSync(output);
  const problems = code === 0 ? '' : readFileSync(log, 'utf8');
  const count = problems === '' ? `${JSON.parse(readFileSync(results, 'utf8')).numPassedTests} ` : '';
  report(`without all options: ${count}tests of the core`, since, problems);
}

function secondsSince(since) {
  return Math.round((performance.now() - since) / 1000);
}
