// What the service answers to us becomes an answer of ours, never a 500, and a 401 is about the caller's key alone.

import { DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { DatabaseError, ServiceError, type ServiceErrorKind } from '../../../src/merchant/errors';
import { errorResponse } from '../../../src/merchant/http/error-response';
import { openapiDocument } from '../../../src/merchant/http/openapi-document';

const failed = (kind: ServiceErrorKind) =>
  new ServiceError({ kind, method: 'GET', path: '/x', serviceMessage: 'no', retryAfterSeconds: 7 });

test.each<[ServiceErrorKind, number, string, string | undefined]>([
  ['refused', 400, 'service_refused', 'no'],
  ['not_found', 404, 'service_not_found', 'no'],
  ['unauthorized', 502, 'service_unauthorized', 'no'],
  ['bad_answer', 502, 'service_bad_answer', undefined],
  ['rate_limited', 503, 'service_unavailable', undefined],
  ['unreachable', 503, 'service_unavailable', undefined],
  ['no_answer', 503, 'service_unavailable', undefined],
  ['server_error', 503, 'service_unavailable', undefined],
])('a call that was %s is answered %i %s', (kind, status, code, message) => {
  const response = errorResponse(failed(kind));
  expect(response).toMatchObject({ status, code, ...(message !== undefined && { message }) });
  if (message === undefined) expect(response.message).not.toBe('no');
  expect(response.retryAfterSeconds).toBe(status === 503 ? 7 : undefined);
});

test('an error of the database is a 503, and one that nobody expects a 500 without its words', () => {
  expect(errorResponse(new DatabaseError('57014'))).toMatchObject({
    status: 503,
    code: 'database_unavailable',
  });
  const unexpected = errorResponse(new Error('a secret'));
  expect(unexpected).toMatchObject({ status: 500, code: 'internal_error' });
  expect(unexpected.message).not.toContain('secret');
});

describe('M38 a 401 is about the caller’s key alone', () => {
  test('/openapi.json says so for every route', () => {
    const { paths } = openapiDocument(DESCRIBED_ROUTES, null);
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const refusals = operations.flatMap(({ responses }) => responses['401']?.description ?? []);
    expect(new Set(refusals)).toEqual(new Set(['unauthorized']));
    expect(paths['/api/payments']?.['get']?.responses['502']?.description).toContain('service_unauthorized');
  });
});
