// The API description shows an example of each first answer and says what each parameter is. That the examples of bodies
// are served as they stand shows test/flows/http/openapi.test.ts.

import { DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { openapiDocument } from '../../../src/merchant/http/openapi-document';

const { paths } = openapiDocument(DESCRIBED_ROUTES, null);
const operationOf = ({ path, method }: { path: string; method: string }) => paths[path]?.[method];
const routes = DESCRIBED_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

test.each(routes)(
  'each answer that %s shows fits its schema, and the first one is shown',
  (_, { answers }) => {
    const [first] = Object.values(answers);
    expect(first?.example).toBeDefined();
    for (const { schema, example } of Object.values(answers))
      if (example !== undefined) expect(schema.safeParse(example).error).toBeUndefined();
  },
);

test.each(routes)('each parameter of %s is described, with an example where it is required', (_, route) => {
  for (const { name, description, schema, example, required } of operationOf(route)?.parameters ?? []) {
    // The values of an enumeration say enough.
    expect([name, description ?? schema['enum']]).toEqual([name, expect.anything()]);
    if (required) expect([name, example]).toEqual([name, expect.anything()]);
  }
});

describe('M38 a 401 is about the caller’s key alone', () => {
  test('/openapi.json says so for every route', () => {
    const refusals = DESCRIBED_ROUTES.flatMap(
      (route) => operationOf(route)?.responses['401']?.description ?? [],
    );
    expect(new Set(refusals)).toEqual(new Set(['unauthorized']));
    const { responses } = operationOf({ path: '/api/payments', method: 'get' }) ?? {};
    expect(responses?.['502']?.description).toContain('service_unauthorized');
  });
});
