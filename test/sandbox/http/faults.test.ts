// The fault controls change the answers of every endpoint in every way, exactly as often as requested.

import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
beforeEach(async () => {
  await service.signIn();
});

const DETAILS = 'GET /payments/:svc_uid';
const setFault = (kind: string, fields: object = {}) =>
  service.control('POST', '/faults', { endpoint: DETAILS, times: 1, kind, ...fields });
const details = () => service.get('/payments/svc_1');

test('answers another status, with other headers or another body on request', async () => {
  await setFault('status', { status: 503, headers: { 'retry-after': '7' } });
  const unavailable = await details();
  expect([unavailable.status, unavailable.headers.get('retry-after'), unavailable.body.code]).toEqual([
    503,
    '7',
    -1,
  ]);
  await setFault('status', { status: 200, body: { code: 0, message: null, response: [] } });
  expect((await details()).body).toEqual({ code: 0, message: null, response: [] });
  await setFault('status', { status: 204, body: '' });
  expect((await details()).text).toBe('');
});

test('answers 401 although the token is alive', async () => {
  await setFault('unauthorized');
  expect([(await details()).status, (await details()).status]).toEqual([401, 404]);
});

test('answers HTML, broken JSON of any size, and redirects', async () => {
  await setFault('html');
  const html = await details();
  expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  await setFault('garbage');
  const garbage = await details();
  expect(() => JSON.parse(garbage.text)).toThrow();
  await setFault('garbage', { bytes: 3_000_000 });
  expect((await details()).text).toHaveLength(3_000_000);
  await setFault('redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/x' } });
  const redirect = await details();
  expect([redirect.status, redirect.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/x']);
});

test('answers late, or byte by byte, and then what it would have said', async () => {
  const started = performance.now();
  await setFault('delay', { delay_ms: 50 });
  expect((await details()).status).toBe(404);
  expect(performance.now() - started).toBeGreaterThanOrEqual(48);
  await setFault('drip', { delay_ms: 1 });
  const dripped = await details();
  expect([dripped.status, dripped.body.code]).toEqual([404, -1]);
});

test('cuts the line before the work (reset) or after it (lost_response)', async () => {
  await service.issueKey('card-1');
  const pay = (merchant_uid: string) =>
    service.post('/subscribe/payments/again', {
      customer_uid: 'card-1',
      merchant_uid,
      amount: 10,
      name: '책',
    });
  const endpoint = 'POST /subscribe/payments/again';
  await setFault('reset', { endpoint });
  await expect(pay('reset')).rejects.toThrow();
  await setFault('lost_response', { endpoint });
  await expect(pay('lost')).rejects.toThrow();
  expect((await service.get('/payments/find/reset')).status).toBe(404);
  expect((await service.get('/payments/find/lost/paid')).status).toBe(200);
});

test('fires exactly as often as asked, in the order asked, also for requests at once', async () => {
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
  expect((await service.control('GET', '/faults')).body.faults).toEqual([]);
});

test('knows an endpoint by the shape of its path', async () => {
  await setFault('status', { endpoint: 'GET /payments/{svc_uid}', status: 500 });
  expect((await details()).status).toBe(500);
});

test('refuses an unknown endpoint, kind or count with 400', async () => {
  for (const fields of [
    { endpoint: 'PUT /payments/:svc_uid' },
    { kind: 'explode' },
    { times: 0 },
    { status: 99 },
  ])
    expect((await setFault('status', fields)).status).toBe(400);
});

test('is forgotten on request', async () => {
  await setFault('status', { times: 5 });
  await service.control('DELETE', '/faults');
  expect((await details()).status).toBe(404);
});

test('is the same sequence for the same seed', async () => {
  const sequence = async (seed: number) => {
    const { body } = await service.control('POST', '/faults/random', { seed, count: 20 });
    await service.control('DELETE', '/faults');
    return body.faults.map((fault: any) => `${fault.kind} ${fault.endpoint}`);
  };
  expect(await sequence(7)).toEqual(await sequence(7));
  expect(await sequence(7)).not.toEqual(await sequence(8));
  expect(new Set((await sequence(7)).map((each: string) => each.split(' ')[0])).size).toBeGreaterThan(4);
});
