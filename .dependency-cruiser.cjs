// Who may import whom. docs: the table in src/README.md.
const rule = (name, comment, from, to, extra = {}) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: to, ...extra.to },
});
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;
const PRISMA = `${npm('@prisma', 'pg')}|^src/generated`;
const USE_CASES =
  '^src/merchant/(cards|charges|orders|payments|schedules|sweep)/(?!compose-|.*-(store|routes)\\.ts$)';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: { pathNot: '^src/generated' },
      to: { circular: true },
    },
    rule('siblings-share-nothing', 'merchant never imports sandbox', '^src/merchant', '^src/(sandbox|local)'),
    rule(
      'siblings-share-nothing-back',
      'sandbox never imports merchant',
      '^src/sandbox',
      '^src/(merchant|local|generated)',
    ),
    rule('no-test-in-src', 'src never imports test or bench', '^src', '^(test|bench)'),
    rule('one-axios', 'one file of merchant knows axios', '^src/merchant', npm('axios'), {
      from: { pathNot: '^src/merchant/payment-service/http\\.ts$' },
    }),
    rule(
      'client-is-alone',
      'payment-service knows neither express, Prisma nor features',
      '^src/merchant/payment-service',
      `${npm('express')}|${PRISMA}|^src/merchant/(cards|orders|payments|schedules|operator|http)/`,
    ),
    rule(
      'use-cases-are-plain',
      'use cases know neither express nor Prisma',
      USE_CASES,
      `${npm('express')}|${PRISMA}`,
    ),
    rule(
      'stores-know-the-database-only',
      'stores know neither express nor the client',
      '-store\\.ts$',
      `${npm('express')}|payment-service/http`,
    ),
    rule('routes-are-thin', 'routes do not reach the database', '-routes\\.ts$', PRISMA),
    rule('sandbox-without-database', 'the sandbox has no database', '^src/sandbox', PRISMA),
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/(merchant|sandbox)' },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
