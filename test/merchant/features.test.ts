// All features together define each error and each path parameter once, and have rules for the columns of every table.

import { API, FEATURES } from '../../src/merchant/features';
import { requireRules } from '../../src/merchant/platform/personal-data';

const definitions = FEATURES.flatMap(({ errors = {} }) => Object.values(errors));

test('no two features define the same error code', () => {
  const codes = definitions.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(60);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('each error that a route may answer is defined by a feature', () => {
  expect(API.errors.filter((error) => !definitions.includes(error))).toEqual([]);
});

test('each error that a feature defines is answered by a route or has a page', () => {
  const unused = definitions.filter((error) => !API.errors.includes(error) && error.page === undefined);
  expect(unused).toEqual([]);
});

test('each path parameter is described once, and no other one', () => {
  const described = FEATURES.flatMap(({ pathParameters = {} }) => Object.keys(pathParameters));
  const inPaths = API.routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  expect(described.sort()).toEqual([...new Set(inPaths)].sort());
});

test('a table without rules for its columns is refused, except those of a removed option', () => {
  const tables = { gifts: ['gifts', 'gift_cards'] };
  const rules = (...names: string[]) => [
    { personalData: Object.fromEntries(names.map((name) => [name, { id: 'stays' as const }])) },
  ];
  expect(() => requireRules(tables, rules('gifts'), [])).toThrow(
    'No feature has a rule for each column of gift_cards (prisma/schema/gifts.prisma). Add',
  );
  expect(() => requireRules(tables, rules('gifts', 'gift_cards'), [])).not.toThrow();
  expect(() => requireRules(tables, [], ['gifts'])).not.toThrow();
});
