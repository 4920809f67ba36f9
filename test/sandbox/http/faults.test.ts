// The fault controls change the answers of every endpoint in every way, exactly as many times as requested.

import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
beforeEach(async () => {
  await service.signIn();
});

const setFault = (kind: string, fields: object = {}) =>
  service.control('POST', '/faults', { endpoint: 'GET /payments/:svc_uid', times: 1, kind, ...fields });
const details = () => service.get('/payments/svc_1');
const waiting = async () => (await service.control('GET', '/faults')).body.faults;
const EMPTY = { code: 0, message: null, response: [] };

const AFTER_7_S = { 'retry-after': '7' };
const ELSEWHERE = { location: 'http://x.test/' };
test.each<[string, object, object, object]>([
  ['status', { status: 503, headers: AFTER_7_S }, { status: 503, body: { code: -1 } }, AFTER_7_S],
  ['status', { status: 200, body: EMPTY }, { status: 200, body: EMPTY }, {}],
  ['unauthorized', {}, { status: 401 }, {}],
  ['html', {}, { status: 200 }, { 'content-type': 'text/html; charset=utf-8' }],
  ['garbage', { bytes: 3_000_000 }, { text: expect.stringMatching(/^[^]{3000000}$/) }, {}],
  ['redirect', { status: 307, headers: ELSEWHERE }, { status: 307 }, ELSEWHERE],
  ['drip', { delay_ms: 1 }, { status: 404, body: { code: -1 } }, {}],
  ['delay', { delay_ms: 1 }, { status: 404, body: { code: -1 } }, {}],
])('answers once by a fault of %s %j', async (kind, fields, answer, headers) => {
  await setFault(kind, fields);
  const bent = await details();
  expect(bent).toMatchObject(answer);
  expect(Object.fromEntries(bent.headers)).toMatchObject(headers);
  expect((await details()).status).toBe(404);
});

test('fires exactly as many times as asked, in the order asked, also for requests at once', async () => {
  await setFault('status', { times: 3, status: 500 });
  await setFault('status', { times: 2, status: 502 });
  const statuses = (await Promise.all(Array.from({ length: 8 }, details))).map(({ status }) => status).sort();
  expect(statuses).toEqual([404, 404, 404, 500, 500, 500, 502, 502]);
});

test('bends every endpoint of the service, and no other', async () => {
  const { message } = (await setFault('status', { endpoint: 'GET /nothing' })).body;
  const endpoints = message.replace('endpoint: one of ', '').split(', ');
  expect(endpoints).toHaveLength(27);
  for (const endpoint of endpoints) {
    await setFault('status', { endpoint, status: 418 });
    const [method, path] = endpoint.split(' ');
    const answer = await service.call(method, path.replace(/:\w+/g, 'x'));
    expect([endpoint, answer.status]).toEqual([endpoint, 418]);
  }
  expect(await waiting()).toEqual([]);
  await setFault('status', { endpoint: 'GET /payments/{svc_uid}' });
  await service.control('DELETE', '/faults');
  expect(await waiting()).toEqual([]);
});

test('random faults are the same sequence for the same seed', async () => {
  const sequence = async (seed: number) => {
    const { body } = await service.control('POST', '/faults/random', { seed, count: 20 });
    await service.control('DELETE', '/faults');
    return body.faults.map((fault: any) => `${fault.kind} ${fault.endpoint}`);
  };
  const first = await sequence(7);
  expect(await sequence(7)).toEqual(first);
  expect(await sequence(8)).not.toEqual(first);
  expect(new Set(first.map((each: string) => each.split(' ')[0])).size).toBeGreaterThan(4);
});
