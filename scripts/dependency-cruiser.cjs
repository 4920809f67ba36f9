// The import rules. The merchant has five wings: options -> core -> shop -> platform -> payment-service. Imports go one way, and
// within a wing only to folders earlier in its list below, so there are no cycles between folders. A folder that is missing here is
// an error.

const { existsSync, readFileSync, readdirSync } = require('node:fs');

const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const PRISMA = `${npm('@prisma', 'pg')}|^src/generated`;

/** The folders of the core, lowest first. */
const CORE = [
  'attempts',
  'events',
  'billing-keys',
  'discrepancies',
  'payments',
  'orders',
  'webhooks',
  'charges',
  'refunds',
  'schedules',
  'cards',
  'reconciliation',
];
/** The options, each with the others that it needs: `needs` of its feature.ts. All of them may have been removed. */
const OPTIONS = Object.fromEntries(
  (existsSync('src/merchant/options') ? readdirSync('src/merchant/options') : []).map((name) => {
    const text = readFileSync(`src/merchant/options/${name}/feature.ts`, 'utf8');
    const [, needs = ''] = /^ {2}needs: \[(.*)\],$/m.exec(text) ?? [];
    return [name, [...needs.matchAll(/'([\w-]+)'/g)].map(([, other]) => other)];
  }),
);

/** The folders of an option that has some, lowest first. Its own files join them; of these the folders use settings and texts. */
const PARTS = { operator: ['frame', 'lists', 'accounts', 'refunds', 'queue', 'things'] };

/** The command of an option stands in its folder. It is a program of its own, so nothing imports it. */
const COMMANDS_OF_OPTIONS = '^src/merchant/options/[^/]+/command\\.ts$';

/** Folders of both programs, lowest first. */
const FOLDERS = {
  merchant: [
    'payment-service/records',
    'payment-service/transport',
    'payment-service',
    'platform',
    'platform/http',
    'shop',
    ...CORE.map((name) => `core/${name}`),
    ...neededFirst(Object.keys(OPTIONS)).flatMap((name) => [
      ...(PARTS[name] ?? []).map((part) => `options/${name}/${part}`),
      `options/${name}`,
    ]),
    'cli',
  ],
  sandbox: [
    'locales',
    'http',
    'pages',
    'state/storage',
    'state',
    'access',
    'billing-keys',
    'notifications',
    'payments',
    'schedules',
    'controls',
    'window',
    'stories',
    'console',
    'landing',
  ],
};
/** Files in the root of the merchant. They may import all folders, and only they may import each other. */
const LIST = '^src/merchant/features\\.ts$';
const ON_TOP = '^src/merchant/(app|server|start-merchant)\\.ts$';
/** The shop's own code for events may call every use case, so it is above all folders. */
const SHOPS_OWN = '^src/merchant/shop/on-order-event\\.ts$';

/** The sandbox may have been removed. */
const programs = Object.keys(FOLDERS).filter((program) => existsSync(`src/${program}`));
for (const program of programs)
  for (const entry of readdirSync(`src/${program}`, { withFileTypes: true, recursive: true })) {
    const name = `${entry.parentPath}/${entry.name}`.slice(`src/${program}/`.length);
    const isPlaced = FOLDERS[program].some((known) => known === name || known.startsWith(`${name}/`));
    if (entry.isDirectory() && !isPlaced)
      throw new Error(
        `scripts/dependency-cruiser.cjs has no place for src/${program}/${name}. A feature of your own stands in src/merchant/options.`,
      );
  }

function neededFirst(names) {
  return [...new Set(names.flatMap((name) => [...neededFirst(OPTIONS[name]), name]))];
}

const folder = (program, name) => `^src/${program}/${name}/`;

const rule = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-circular', { pathNot: '/generated/' }, { circular: true }, 'no file stands in a circle'),
    ...oneWay('merchant'),
    ...oneWay('sandbox'),
    ...Object.entries(OPTIONS).map(([name, needs]) =>
      rule(
        `option-${name}`,
        { path: folder('merchant', `options/${name}`) },
        { path: `^src/merchant/options/(?!(?:${[name, ...needs].join('|')})/)` },
        `${name} uses no other option but those that it needs`,
      ),
    ),
    ...Object.keys(PARTS).map((name) =>
      rule(
        `parts-of-${name}`,
        { path: `${folder('merchant', `options/${name}`)}[^/]+/` },
        { path: `${folder('merchant', `options/${name}`)}(?!settings\\.ts$|texts\\.ts$)[^/]+$` },
        `the folders of ${name} use no file that joins them`,
      ),
    ),
    rule(
      'options-come-off',
      { path: '^src/merchant/', pathNot: `^src/merchant/options/|${LIST}` },
      { path: '^src/merchant/options/' },
      'only features.ts and options themselves know options',
    ),
    rule(
      'siblings-share-nothing',
      { path: '^src/merchant' },
      { path: '^src/(sandbox|local)|^(test|tools)' },
      'merchant never imports sandbox, local, test or tools',
    ),
    rule(
      'siblings-share-nothing-back',
      { path: '^src/sandbox' },
      { path: '^src/(merchant|local|generated)|^(test|tools)' },
      'sandbox never imports merchant, local, test or tools',
    ),
    rule('no-test-in-src', { path: '^src' }, { path: '^(test|tools)' }, 'src never imports test or tools'),
    rule(
      'one-axios',
      {
        path: '^src/merchant',
        pathNot: '^src/merchant/payment-service/transport/(client|service-channel|undici-adapter)\\.ts$',
      },
      { path: npm('axios') },
      'only the transport knows axios',
    ),
    rule(
      'client-is-alone',
      { path: folder('merchant', 'payment-service') },
      { path: `${npm('express')}|${PRISMA}` },
      'the client of the payment service knows neither express nor Prisma',
    ),
    rule(
      'stores-know-the-database-only',
      { path: '[-/]store\\.ts$' },
      { path: `${npm('express')}|^src/merchant/(platform/http|payment-service/transport)/` },
      'stores know neither express nor the transport',
    ),
    rule(
      'express-at-the-border',
      {
        path: '^src/merchant/',
        pathNot: '^src/merchant/(platform/http|shop)/|(-routes|/feature)\\.ts$|^src/merchant/app\\.ts$',
      },
      { path: npm('express') },
      'express is known to http/, shop/, the routes, the features and app.ts',
    ),
    rule(
      'database-driver-in-few-files',
      {
        path: '^src/merchant/',
        pathNot:
          '[-/]store\\.ts$|^src/merchant/shop/|^src/merchant/platform/(database|database-pool|database-transaction|job-pools|migrations)\\.ts$|^src/merchant/core/reconciliation/reconciliation-lock\\.ts$',
      },
      { path: npm('@prisma', 'pg') },
      'PostgreSQL is reached by stores alone, and by a shop that has tables of its own',
    ),
    rule(
      'sandbox-without-database',
      { path: '^src/sandbox' },
      { path: PRISMA },
      'the sandbox has no database',
    ),
    rule(
      'no-dev-dependency-in-the-product',
      { path: '^src/(merchant|sandbox)' },
      { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
      'the product runs without development dependencies',
    ),
    rule(
      'tools-come-off',
      { path: '^(test|scripts)/' },
      { path: '^tools/' },
      'test and scripts stay when tools is removed',
    ),
    rule(
      'measured-after-it-is-proven',
      { path: '^tools/proof/' },
      { path: '^tools/bench/' },
      'proof never imports bench',
    ),
    rule('resolvable', {}, { couldNotResolve: true }, 'every import leads somewhere'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};

/** For each folder of a program: it imports only folders before it in the list. */
function oneWay(program) {
  const folders = FOLDERS[program];
  return folders.map((name, place) => {
    const above = folders.slice(place + 1).filter((other) => !name.startsWith(`${other}/`));
    const inside = folders
      .filter((other) => other.startsWith(`${name}/`))
      .map((other) => `(?!${other.slice(name.length + 1)}/)`);
    const isLast = name === folders.at(-1);
    return rule(
      `${program}-one-way-${name.replace('/', '-')}`,
      { path: `${folder(program, name)}${inside.join('')}`, pathNot: `${SHOPS_OWN}|${COMMANDS_OF_OPTIONS}` },
      {
        path: [
          ...above.map((other) => folder(program, other)),
          ON_TOP,
          ...(isLast ? [] : [LIST, SHOPS_OWN]),
        ].join('|'),
      },
      `${name} imports only what stands below it`,
    );
  });
}
