// `npm run adopt` writes repositories that work: with all options, with the default but no sandbox, and with no option. What
// `npm run check` checks passes in each, as far as it can differ there, and in the last one the tests of what features share.
// own-files.test.ts runs tests in one with the default and the sandbox.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { adopt, ROOT, runTests, withCopies } from './proof/check-copies.mjs';

/** Tests of what all features share: routes, commands, lists, the member's page. The other tests of the core call the same routes. */
const CORE_TESTS = { flows: ['cards', 'cli', 'http', 'orders'].map((name) => `test/flows/${name}`) };
/** Slow tests about outages, connections and secrets, which no option affects. */
const LEFT_OUT = ['readiness', 'answer-headers', 'connections', 'rotation'].map(
  (name) => `flows/http/${name}.test.ts`,
);

const passed = await withCopies('check-adopted', ({ folder, check, report }) => {
  const adopted = (title, checks, ...args) => check(title, (path) => adopt(path, ...args), checks);
  // Types and lint of the same sources are those of this repository, unless an import leads to a file that was not taken.
  adopted('all options', ['format'], '--keep', 'all');
  const since = performance.now();
  report('all options: the sources of this repository', since, differences(join(folder, 'copy')));
  // Unused code includes imports that lead nowhere.
  adopted('the default without the sandbox', ['format', 'unused'], '--without-sandbox');
  // Lint, which has the types, finds an import that leads nowhere as well.
  adopted('no option', ['lint', 'format', 'unused'], '--keep', 'none');
  runCoreTests(join(folder, 'copy'), report);
});
process.exitCode = passed ? 0 : 1;

/** @returns the sources and tests that differ from those of this repository, and the imports that lead nowhere, one on each line */
function differences(copy) {
  const paths = ['src', 'test'].flatMap((name) =>
    readdirSync(join(copy, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
  );
  return paths
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(copy, path), 'utf8');
      const changed = text === readFileSync(join(ROOT, path), 'utf8') ? [] : [path];
      return [...changed, ...importsIn(text).filter((name) => !isThere(join(copy, dirname(path), name)))];
    })
    .join('\n');
}

/** Those of files: `import './a'`, the last line of `import { … } from './a'`, and `import('./a')`. */
function importsIn(text) {
  const imports = text.matchAll(/^(?:import|export|\})(?:.* from)? '(\.[^']*)'|\bimport\('(\.[^']*)'\)/gm);
  return [...imports].map(([, stated, called]) => stated ?? called);
}

function isThere(module) {
  return ['', '.ts', '.d.ts', '/index.ts'].some((ending) => existsSync(module + ending));
}

function runCoreTests(path, report) {
  const since = performance.now();
  writeFileSync(join(path, 'test', 'groups', 'folders.json'), JSON.stringify(CORE_TESTS));
  for (const name of LEFT_OUT) rmSync(join(path, 'test', name));
  // One share and one worker, because each loads the program, and other tests run meanwhile.
  const groups = join(path, 'test', 'groups');
  const shares = readdirSync(groups).filter((name) => name.endsWith('.test.ts'));
  const first = shares.find((name) => name.startsWith('flows-'));
  const share = readFileSync(join(groups, first));
  for (const name of shares) rmSync(join(groups, name));
  writeFileSync(join(groups, 'flows-1-of-1.test.ts'), share);
  const { passed, problems } = runTests(path, '--maxWorkers=1');
  report(`no option: ${passed} tests of the core`, since, problems);
}
