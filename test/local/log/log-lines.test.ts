// The log as `npm start` shows it at a terminal. The lines that go in are those of the programs; nothing comes out that is
// not in them.

import { formatLogLine } from '../../../src/local/log/log-lines';
import { createPaint } from '../../../src/merchant/cli/terminal';
import { ServiceError } from '../../../src/merchant/errors';
import { createLogger } from '../../../src/merchant/logger';

const plain = createPaint({}, {});
const show = (entry: object, { columns = 80, program = 'merchant' as const, paint = plain } = {}) =>
  formatLogLine(program, JSON.stringify({ level: 30, ...entry }), { columns, paint });
const request = (method: string, path: string, status: number, fields: object = {}) => ({
  time: '2026-11-22T03:04:05.000Z',
  req: { id: '5f0c2f2e-7a5b-4a2e-9c1d-0f6b1f3c8a77', method, path },
  ...fields,
  res: { status },
  responseTime: 12,
  msg: 'request completed',
});
/** Without the time, which is that of this machine. */
const said = (text: string) => text.replace(/^\d\d:\d\d:\d\d {2}/, '');
const WEBHOOK = '/webhooks/payments';
const PAID = { svc_uid: 'svc_1', merchant_uid: 'order-1001', claimed_status: 'paid', source: '52.78.100.19' };

test('a notification is one line with its result', () => {
  const line = show(request('POST', WEBHOOK, 200, { ...PAID, outcome: 'recorded' }));
  expect(line).toMatch(/^\d\d:\d\d:\d\d {2}<- paid order-1001 svc_1 {2}-> 200 recorded 12 ms\n$/);
});

test.each<[string, object, string]>([
  [
    'a form',
    request('POST', '/cards', 303, { customer_uid: 'card_1', outcome: 'registered' }),
    '<- card form card_1  -> 303 registered 12 ms\n',
  ],
  [
    'a charge that is refused',
    request('POST', '/api/orders/order-1/charge', 409, { merchant_uid: 'order-1', error_code: 'order_paid' }),
    '<- charge order-1  -> 409 order_paid 12 ms\n',
  ],
  [
    'a refund',
    request('POST', '/api/payments/svc_1/cancel', 200, { svc_uid: 'svc_1', outcome: 'refunded' }),
    '<- refund svc_1  -> 200 refunded 12 ms\n',
  ],
  [
    'a removal whose line has no id',
    request('POST', '/cards/card_1/remove', 403),
    '<- remove card card_1  -> 403 12 ms\n',
  ],
  [
    'a member who is erased, without naming the member',
    request('POST', '/api/members/{member_id}/erase', 200),
    '<- erase member  -> 200 12 ms\n',
  ],
  ['a page', request('GET', '/cards/new', 200), '<- GET /cards/new  -> 200 12 ms\n'],
  [
    'a lost answer that was found',
    { event: 'attempt_recovered', attempt: 'charge', id: 'abc', merchant_uid: 'order-1', outcome: 'paid' },
    '-- attempt recovered charge abc order-1  -> paid\n',
  ],
  [
    'an event',
    { event: 'order_event', id: 'order-1:2', type: 'order.paid', merchant_uid: 'order-1' },
    '-> order.paid order-1:2  -> told the shop\n',
  ],
  [
    'a sender who is not listed',
    { level: 40, event: 'webhook_source_not_listed', source: '1.2.3.4', check: 'enforce' },
    '!! webhook source not listed source=1.2.3.4 check=enforce\n',
  ],
  [
    'a reconciliation',
    {
      event: 'reconciliation',
      complete: true,
      lists: { paid: { seen: 2, matched: 1, repaired: 0, unresolved: { unknown_order: 1 } } },
      earlier: { seen: 1, matched: 0, repaired: 1, unresolved: {} },
    },
    '-- reconciliation  -> 3 seen, 1 matched, 1 repaired, 1 unresolved\n',
  ],
])('%s', (_, entry, text) => {
  expect(said(show({ time: 0, ...entry }))).toBe(text);
});

test('a reconciliation that did not finish says why once, and is no warning where the server was stopped', () => {
  const stopped = (...by: string[]) =>
    said(
      show({
        event: 'reconciliation',
        complete: false,
        lists: Object.fromEntries(by.map((each, at) => [`list-${at}`, { stopped_by: each }])),
      }),
    ).replace(/^ +/, '');
  expect(stopped('interrupted', 'interrupted')).toBe('-- reconciliation  -> not finished: interrupted\n');
  expect(stopped('rate_limited', 'rate_limited')).toBe('!! reconciliation  -> not finished: rate_limited\n');
});

test('a warning comes with what to do, and an error with its cause', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const facts = {
    kind: 'unreachable',
    method: 'GET',
    path: '/payments/{svc_uid}',
    detail: 'ECONNREFUSED',
  } as const;
  logger.warn({ event: 'reconciliation_not_possible', err: new ServiceError(facts) });
  logger.error({ event: 'order_event_handler_failed', id: 'order-1:1', err: new TypeError('secret text') });
  logger.warn({
    event: 'no_trusted_proxies',
    meaning: 'every notification is refused',
    fix: 'Set TRUSTED_PROXIES.',
  });
  const [away = '', thrown = '', proxies = ''] = lines.map((line) =>
    formatLogLine('merchant', line, { columns: 120, paint: plain }),
  );
  expect(said(away)).toBe(
    '!! reconciliation not possible\n             cause: ServiceError, unreachable, method GET, path /payments/{svc_uid}, detail ECONNREFUSED\n',
  );
  expect(said(thrown)).toMatch(
    /^!! order event handler failed order-1:1\n {13}cause: TypeError, at .*log-lines\.test\.ts/,
  );
  expect(thrown).not.toContain('secret text');
  expect(said(proxies)).toBe(
    '!! no trusted proxies\n             every notification is refused\n             Set TRUSTED_PROXIES.\n',
  );
});

test('a call to the sandbox is shown; routine is shown where it goes wrong', () => {
  const call = (endpoint: string, status: number | null, fault: string | null = null) => {
    const [method, path] = endpoint.split(' ');
    const entry = {
      level: 20,
      time: 0,
      name: 'sandbox',
      endpoint,
      method,
      path,
      status,
      took_ms: 3,
      fault,
      msg: 'request',
    };
    return said(show(entry, { program: 'sandbox' as never }));
  };
  expect(call('POST /subscribe/payments/again', 200)).toBe(
    '<- sandbox POST /subscribe/payments/again  -> 200 3 ms\n',
  );
  expect(call('POST /users/getToken', 200)).toBe('');
  expect(call('POST /users/getToken', 503, 'status')).toBe(
    '<- sandbox POST /users/getToken  -> 503 fault: status 3 ms\n',
  );
  expect(call('GET /payments/status/:payment_status', 200)).toBe('');
  expect(call('POST /payments/cancel', null, 'reset')).toBe(
    '<- sandbox POST /payments/cancel  -> no answer fault: reset 3 ms\n',
  );
});

test('what the banner says, and files of pages, are no lines', () => {
  expect(show({ event: 'listening', port: 3000 })).toBe('');
  expect(show(request('GET', '/static/pages.css', 200))).toBe('');
  expect(show(request('GET', '/static/nothing.css', 404))).toContain('404');
  expect(show({ event: 'old_rows_deleted', before: 'x', notifications: 0 })).toBe('');
  expect(show({ event: 'old_rows_deleted', before: 'x', notifications: 2 })).toContain('notifications=2');
});

test('a narrow terminal has the result on a line of its own, and no id is cut', () => {
  const long = { ...PAID, merchant_uid: 'order-1001-of-the-tea-house', outcome: 'recorded' };
  const line = show(request('POST', WEBHOOK, 200, long), { columns: 50 });
  expect(said(line)).toBe(
    '<- paid order-1001-of-the-tea-house\n             svc_1\n             -> 200 recorded 12 ms\n',
  );
  for (const each of line.split('\n')) expect(each.length).toBeLessThanOrEqual(50);
});

test('what somebody else has written cannot act on the terminal or begin a line', () => {
  const evil = '\u001b[2J\u009b31m\r\nforged\u202e';
  const line = show(
    { level: 40, time: 0, event: 'event_not_delivered', reason: evil, target: evil },
    { columns: 400 },
  );
  // eslint-disable-next-line no-control-regex -- these are meant
  expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(line).toContain(String.raw`\u001b[2J\u009b31m\u000d\u000aforged\u202e`);
  const raw = formatLogLine('merchant', 'console \u001b[2J of the shop', { columns: 80, paint: plain });
  expect(raw).toBe('console \\u001b[2J of the shop\n');
});

test('a result is green, yellow or red by how it ended, and plain where there are no colours', () => {
  const paint = createPaint({ isTTY: true }, {});
  const colourOf = (status: number, fields: object = {}) =>
    /\[(\d+)m->/.exec(show(request('POST', WEBHOOK, status, fields), { paint }))?.[1];
  expect([200, 400, 503].map((status) => colourOf(status))).toEqual(['32', '33', '31']);
  expect(colourOf(200, { outcome: 'queued' })).toBe('33');
});

test('broken JSON and empty lines do no harm', () => {
  for (const line of ['{', '{"req":null}', '{"req":7,"res":[]}', 'null', '[]', '{"event":{}}'])
    expect(typeof formatLogLine('merchant', line, { columns: 20, paint: plain })).toBe('string');
  expect(formatLogLine('merchant', '', { columns: 80, paint: plain })).toBe('');
});
