// Types, lint, format, imports and unused code of copies of this repository, one after another in the same folder. A file that is the
// same here is checked here: of a copy, lint and format read what differs, and types what imports it. ESLint uses the same types.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { ESLint } = createRequire(join(ROOT, 'scripts', 'package.json'))('eslint');
const HOUSES = ['.', 'scripts', 'tools'];
const NOT_COPIED = [
  '.git',
  '.data',
  'dist',
  'coverage',
  ...HOUSES.map((house) => join(house, 'node_modules')),
];

/**
 * @param act gets a folder for copies, and `check`
 * @returns whether all checks passed
 */
export async function withCopies(name, act) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const types = createTypeCheck(folder);
  const began = performance.now();
  let failed = 0;
  const report = (title, since, problems) => {
    if (problems !== '') failed += 1;
    console.log(`${title}: ${problems === '' ? 'passed' : 'FAILED'} (${secondsSince(since)} s)`);
    if (problems !== '') console.log(problems);
  };
  /** @param write fills the copy; @param programs of scripts/check.mjs */
  const check = async (title, write, programs = []) => {
    const path = join(folder, 'copy');
    rmSync(path, { recursive: true, force: true });
    const since = performance.now();
    write(path);
    const { problems, program } = types.check(path);
    const changed = write === copyAll ? ['.'] : differing(path);
    const linted = changed.filter((file) => /^\.$|\.(ts|mjs|cjs)$/.test(file));
    const warnings = linted.length > 0 ? await lint(path, program, linted) : [];
    const others = programs.flatMap((each) =>
      each === 'format' ? checkFormat(path, changed) : runIn(path, 'scripts/check.mjs', each),
    );
    const names = ['types', ...(linted.length > 0 ? ['lint'] : []), ...programs];
    report(`${title}: ${names.join(', ')}`, since, [...problems, ...warnings, ...others].join('\n'));
  };
  try {
    await act({ folder, check, report });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(failed === 0 ? `All passed (${secondsSince(began)} s)` : `${failed} failed`);
  return failed === 0;
}

/** The working tree with its packages. */
export function copyAll(path) {
  cpSync(ROOT, path, {
    recursive: true,
    filter: (source) => !NOT_COPIED.includes(relative(ROOT, source)),
  });
  linkPackages(path);
}

/** What `npm run adopt` writes with these arguments. */
export function adopt(path, ...args) {
  const problems = runIn(ROOT, 'scripts/adopt.mjs', path, ...args);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  linkPackages(path, HOUSES.slice(0, 2));
}

function linkPackages(path, houses = HOUSES) {
  for (const house of houses)
    symlinkSync(join(ROOT, house, 'node_modules'), join(path, house, 'node_modules'), 'junction');
}

/** @returns the files of a copy that are not as they are here */
function differing(path) {
  const isSame = (file) => {
    const here = join(ROOT, file);
    return existsSync(here) && readFileSync(here).equals(readFileSync(join(path, file)));
  };
  return filesIn(path).filter((file) => !isSame(file));
}

function filesIn(path, folder = '.') {
  return readdirSync(join(path, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === '.git' ? [] : filesIn(path, file);
    return entry.isFile() ? [file] : [];
  });
}

function checkFormat(path, files) {
  return runIn(
    path,
    'scripts/node_modules/prettier/bin/prettier.cjs',
    '--check',
    '--ignore-unknown',
    ...files,
  );
}

/** @returns its output, if it failed */
export function runIn(path, script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(path, script), ...args], {
    cwd: path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return status === 0 ? [] : [`${script} ${args.join(' ')}\n${stdout}${stderr}`];
}

function secondsSince(since) {
  return Math.round((performance.now() - since) / 1000);
}

/** `tsc --noEmit` of a folder whose files change. */
function createTypeCheck(folder) {
  const files = new Map();
  let last;
  return { check };

  function check(path) {
    const config = ts.getParsedCommandLineOfConfigFile(join(path, 'tsconfig.json'), undefined, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(format([diagnostic], folder));
      },
    });
    const host = ts.createIncrementalCompilerHost(config.options);
    const read = host.getSourceFile;
    // A file that has not changed is parsed once.
    host.getSourceFile = (name, ...rest) => {
      const text = ts.sys.readFile(name);
      const known = files.get(name);
      if (text !== undefined && known?.text === text) return known.file;
      const file = read(name, ...rest);
      files.set(name, { text, file });
      return file;
    };
    const { fileNames, errors } = config;
    // What a removal changes is features.ts, whose exports have the same types.
    const options = { ...config.options, assumeChangesOnlyAffectDirectDependencies: true };
    last = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, last, errors);
    const diagnostics = [
      ...last.getConfigFileParsingDiagnostics(),
      ...last.getOptionsDiagnostics(),
      ...last.getGlobalDiagnostics(),
      ...last.getSyntacticDiagnostics(),
      ...last.getSemanticDiagnostics(),
    ];
    return {
      problems: diagnostics.length > 0 ? [format(diagnostics, folder)] : [],
      program: last.getProgram(),
    };
  }
}

function format(diagnostics, folder) {
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
    overrideConfigFile: join(path, 'scripts', 'eslint.config.mjs'),
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { projectService: false, programs: [program] } },
    },
  });
  const results = await eslint.lintFiles(linted);
  const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
  return isClean ? [] : [await (await eslint.loadFormatter('stylish')).format(results)];
}
