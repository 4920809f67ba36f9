// The lists of the JSON API refuse an unknown or impossible query with a 400 that names the field, and send nothing to
// the service. An error of the service becomes an answer of the API, never a 500.

import { API_KEY } from '../../support/config';
import { FIND_KEYS, LIST_PAYMENTS } from '../../support/endpoints';
import { expectNoEffect } from '../../support/no-effect';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';

const world = useWorld();
const DAY = 86_400;

const get = (path: string) => world.api('GET', path);

describe('what cannot be asked is a 400 that names the field, and nothing is sent to the service', () => {
  test.each([
    ['/api/payments?status=lost', 'status'],
    ['/api/payments?page=0', 'page'],
    ['/api/payments?page=-1', 'page'],
    ['/api/payments?page=1.5', 'page'],
    ['/api/payments?page=one', 'page'],
    ['/api/payments?page=1&page=2', 'page'],
    ['/api/payments?page=%31%00', 'page'],
    ['/api/payments?page=９', 'page'],
    ['/api/payments?limit=0', 'limit'],
    ['/api/payments?limit=1001', 'limit'],
    ['/api/payments?limit=1e3', 'limit'],
    ['/api/payments?sorting=amount', 'sorting'],
    ['/api/payments?from=yesterday', 'from'],
    ['/api/payments?from=0', 'from'],
    [`/api/payments?from=0&to=${90 * DAY + 1}`, 'from'],
    ['/api/payments?from=2&to=1', 'from'],
    ['/api/payments?to=99999999999999', 'to'],
    ['/api/payments?form=1', 'query'],
    ['/api/payments?constructor=1&__proto__=2', 'query'],
    ['/api/billing-keys', 'customer_uid[]'],
    ['/api/billing-keys?customer_uid[]=', 'customer_uid[]'],
    ['/api/billing-keys?customer_uid[]=../users/getToken', 'customer_uid[]'],
    ['/api/billing-keys/card-1/payments?page=0', 'page'],
    ['/api/schedules', 'schedule_from'],
    ['/api/schedules?schedule_from=1', 'schedule_to'],
    ['/api/schedules?schedule_from=2&schedule_to=1', 'schedule_from'],
    ['/api/schedules?schedule_from=1&schedule_to=soon', 'schedule_to'],
    ['/api/schedules?schedule_from=1&schedule_to=2&schedule_status=paid', 'schedule_status'],
    ['/api/schedules?schedule_from=1&schedule_to=2&limit=1001', 'limit'],
    ['/api/schedules?schedule_from=1&schedule_to=2&sorting=-scheduled', 'sorting'],
    ['/api/notifications?svc_uid=a/b', 'svc_uid'],
    ['/api/notifications?merchant_uid=..', 'merchant_uid'],
    ['/api/notifications?outcome=fine', 'outcome'],
    ['/api/notifications?open=yes', 'open'],
    ['/api/notifications?after=0', 'after'],
    ['/api/notifications?after=9999999999999999999', 'after'],
    ['/api/notifications?limit=1001', 'limit'],
    ['/api/notifications?from=1793491200', 'from'],
    ['/api/notifications?from=2026-11-21', 'from'],
    ['/api/notifications?from=2026-11-21T09:00:00', 'from'],
    ['/api/notifications?from=2026-02-30T09:00:00Z', 'from'],
    ['/api/notifications?from=2026-11-21 09:00:00Z', 'from'],
    ['/api/notifications?from=0000-01-01T00:00:00Z', 'from'],
    ['/api/notifications?to=9999-12-31T23:59:59-10:00', 'to'],
    ['/api/notifications?to=2026-11-21T09:00:00Z&to=2026-11-21T09:00:00Z', 'to'],
    ['/api/notifications?from=2026-11-21T09:00:00Z&to=2026-11-21T09:00:00+01:00', 'from'],
    ['/api/discrepancies?to=soon', 'to'],
    ['/api/discrepancies?kind=amount', 'kind'],
    ['/api/discrepancies?page=2', 'query'],
  ])('%s', async (path, field) => {
    const { status, body } = await expectNoEffect(world, () => get(path));
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(field);
  });

  test('a time that is none is told once what it must be', async () => {
    const { body } = await get('/api/notifications?from=1793491200');
    expect(body.error.message).toMatch(/^from: must be ISO 8601 with an offset, such as \S+$/);
  });

  test('more than a hundred billing keys at once', async () => {
    const { status, body } = await get(`/api/billing-keys?${'customer_uid[]=a&'.repeat(101).slice(0, -1)}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  });

  test('a customer_uid that can be none is a 404 without a call', async () => {
    const path = '/api/billing-keys/..%2Fusers/payments';
    const { status, body } = await expectNoEffect(world, () => get(path));
    expect([status, body.error.code]).toEqual([404, 'billing_key_not_found']);
  });

  test('without the key nothing is told', async () => {
    for (const path of ['payments', 'billing-keys', 'schedules', 'notifications', 'discrepancies'])
      expect((await fetch(`${world.url}/api/${path}`)).status).toBe(401);
  });
});

test.each([
  ['its beginning', API_KEY.slice(0, -1)],
  ['more than it', `${API_KEY}0`],
  ['another last character', `${API_KEY.slice(0, -1)}_`],
  ['another first character', `_${API_KEY.slice(1)}`],
  ['the same in capitals', API_KEY.toUpperCase()],
])('M37 the API key is compared as a whole: %s is 401', async (_, key) => {
  const answer = await fetch(`${world.url}/api/orders`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(401);
});

describe('what the service answers to us becomes an answer of ours, never a 500', () => {
  const lists = [
    ['/api/payments', LIST_PAYMENTS],
    ['/api/billing-keys?customer_uid[]=card-1', FIND_KEYS],
    ['/api/billing-keys/card-1/payments', 'GET /subscribe/customers/:customer_uid/payments'],
    ['/api/schedules?schedule_from=1&schedule_to=2', 'GET /subscribe/payments/schedule'],
  ] as const;
  const faults = [
    [
      { kind: 'status', status: 400, body: { code: -1, message: 'no', response: null } },
      400,
      'service_refused',
    ],
    [{ kind: 'unauthorized', times: 2 }, 502, 'service_unauthorized'],
    [{ kind: 'status', status: 503 }, 503, 'service_unavailable'],
    [{ kind: 'status', status: 429 }, 503, 'service_unavailable'],
    [{ kind: 'html' }, 502, 'service_bad_answer'],
    [{ kind: 'garbage' }, 502, 'service_bad_answer'],
    [{ kind: 'redirect' }, 502, 'service_bad_answer'],
    [{ kind: 'reset' }, 503, 'service_unavailable'],
  ] as const;

  test.each(lists.flatMap(([path, endpoint]) => faults.map((fault) => [path, endpoint, ...fault] as const)))(
    '%s with %s bent by %j: %i',
    async (path, endpoint, fault, status, code) => {
      await world.sandbox.fault({ endpoint, ...fault });
      const answer = await get(path);
      await world.sandbox.clearFaults();
      // A pause that the service has asked for is over.
      world.clock.advance(60);
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
      if (code === 'service_refused') expect(answer.body.error.message).toBe('no');
    },
  );
});

describe('M38 a 401 is about the caller’s key alone', () => {
  test('where the service refuses our credentials, the answer is a 502, and the log has the reason', async () => {
    const misconfigured = await startWorld({ environment: { SERVICE_SECRET: 'wrong' } });
    const { status, body } = await misconfigured.api('GET', '/api/payments');
    expect([status, body.error.code]).toEqual([502, 'service_unauthorized']);
    expect(misconfigured.log.events('request_failed')).toMatchObject([{ err: { kind: 'unauthorized' } }]);
    await misconfigured.close();
  });

  test('/openapi.json says so for every route', async () => {
    const { paths } = (await get('/openapi.json')).body;
    const operations = Object.values<any>(paths).flatMap((path) => Object.values<any>(path));
    const refusals = operations.flatMap(({ responses }) => responses['401']?.description ?? []);
    expect(new Set(refusals)).toEqual(new Set(['unauthorized']));
    expect(paths['/api/payments'].get.responses['502'].description).toContain('service_unauthorized');
  });
});
