// All features together define each error and each path parameter once.

import { API, FEATURES } from '../../src/merchant/features';

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
