// What the projects of jest share. @prisma/schema-engine-wasm ships ES modules only, so it is transformed like our own sources.

const { createHash } = require('node:crypto');
const { readdirSync } = require('node:fs');
const { basename, join } = require('node:path');

const ROOT = join(__dirname, '..', '..');
/** The files of `src/merchant/shop` that a shop changes. Tests use them as shipped. */
const SHOP = readdirSync(join(__dirname, 'shop')).map((file) => basename(file, '.ts'));

/**
 * Each module gets these as parameters, because the context of a test looks up its global names slowly. If a package declares one of
 * them, its name has to go from here: the package fails with "Identifier 'Map' has already been declared".
 */
const GLOBALS = [
  ...['Array', 'Date', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'RegExp', 'Set'],
  ...['String', 'Symbol'],
];

const shared = {
  rootDir: ROOT,
  // One for all projects of this folder: they share what was transformed (transform.cjs).
  id: createHash('sha1').update(ROOT).digest('hex'),
  testEnvironment: 'node',
  sandboxInjectedGlobals: GLOBALS,
  // dist has a package.json as well, which would be a duplicate.
  modulePathIgnorePatterns: [pattern('dist', '/')],
  // As the program imports them. A test that names `src/merchant/shop/…` gets the shop's own file.
  moduleNameMapper: { [`^(?:\\./|(?:\\.\\./)+)shop/(${SHOP.join('|')})$`]: '<rootDir>/test/support/shop/$1' },
  transformIgnorePatterns: ['node_modules/(?!@prisma/schema-engine-wasm/)'],
  transform: {
    '(\\.ts|schema-engine-wasm/.+\\.js)$': [
      join(__dirname, 'transform.cjs'),
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};

/** @param testRegex of its files */
exports.project = (displayName, testRegex, setup = {}) => ({ ...shared, ...setup, displayName, testRegex });

/** The setup of projects with tests that need PostgreSQL, and of those that start processes. */
exports.withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
exports.withPrograms = {
  globalSetup: '<rootDir>/test/support/processes-setup.ts',
  globalTeardown: '<rootDir>/test/support/processes-teardown.ts',
};

/** The test files in these folders, and the shares of a project (test/groups/run-share.ts). */
exports.filesIn = (folders = []) => folders.map((folder) => pattern(folder, '/.+\\.test\\.ts$'));
exports.sharesIn = (folder, displayName) => [pattern(folder, `/${displayName}-[^/]+\\.test\\.ts$`)];

/**
 * A regular expression for paths that begin with `path` of this repository. Its name may be "c++" or "[a]": in a glob, or after the
 * `<rootDir>` of jest, such characters could not be escaped.
 */
function pattern(path, rest) {
  const start = join(ROOT, path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `^${start}${rest}`;
}
