// The log as `npm start` shows it at a terminal. The lines that go in are those of the programs; nothing comes out that is
// not in them.

import { formatLogLine, type Program, type Screen } from '../../../src/local/log/log-lines';
import { createPaint } from '../../../src/merchant/cli/terminal';
import { ServiceError } from '../../../src/merchant/errors';
import { createLogger } from '../../../src/merchant/logger';

const plain = createPaint({}, {});
const show = (
  entry: object,
  { columns = 80, program = 'merchant', paint = plain }: Partial<Screen> & { program?: Program } = {},
) => formatLogLine(program, JSON.stringify({ level: 30, ...entry }), { columns, paint });
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

test.each<[string, string, number, object, string]>([
  [
    'POST',
    '/cards',
    303,
    { customer_uid: 'card_1', outcome: 'registered' },
    'card form card_1  -> 303 registered',
  ],
  [
    'POST',
    '/api/orders/order-1/charge',
    409,
    { merchant_uid: 'order-1', error_code: 'order_paid' },
    'charge order-1  -> 409 order_paid',
  ],
  [
    'POST',
    '/api/payments/svc_1/cancel',
    200,
    { svc_uid: 'svc_1', outcome: 'refunded' },
    'refund svc_1  -> 200 refunded',
  ],
  // Its line has no id.
  ['POST', '/cards/card_1/remove', 403, {}, 'remove card card_1  -> 403'],
  ['POST', '/api/members/{member_id}/erase', 200, {}, 'erase member  -> 200'],
  ['GET', '/cards/new', 200, {}, 'GET /cards/new  -> 200'],
])('a request is named by what is asked for: %s %s %i', (method, path, status, fields, text) => {
  const line = show({ ...request(method, path, status, fields), time: 0 });
  expect(said(line)).toBe(`<- ${text} 12 ms\n`);
});

test.each<[string, object, string]>([
  [
    'attempt_recovered',
    { attempt: 'charge', id: 'abc', merchant_uid: 'order-1', outcome: 'paid' },
    '-- attempt recovered charge abc order-1  -> paid\n',
  ],
  [
    'order_event',
    { id: 'order-1:2', type: 'order.paid', merchant_uid: 'order-1' },
    '-> order.paid order-1:2  -> told the shop\n',
  ],
  [
    'webhook_source_not_listed',
    { level: 40, source: '1.2.3.4', check: 'enforce' },
    '!! webhook source not listed source=1.2.3.4 check=enforce\n',
  ],
  [
    'reconciliation',
    {
      complete: true,
      lists: { paid: { seen: 2, matched: 1, repaired: 0, unresolved: { unknown_order: 1 } } },
      earlier: { seen: 1, matched: 0, repaired: 1, unresolved: {} },
    },
    '-- reconciliation  -> 3 seen, 1 matched, 1 repaired, 1 unresolved\n',
  ],
  // Why it did not finish comes once, and is no warning where the server was stopped.
  ['reconciliation', stoppedBy('interrupted'), '-- reconciliation  -> not finished: interrupted\n'],
  ['reconciliation', stoppedBy('rate_limited'), '!! reconciliation  -> not finished: rate_limited\n'],
])('the event %s is a line with what came of it', (event, fields, text) => {
  expect(said(show({ time: 0, event, ...fields }))).toBe(text);
});

function stoppedBy(reason: string) {
  return { complete: false, lists: { paid: { stopped_by: reason }, cancelled: { stopped_by: reason } } };
}

test('a warning comes with what to do, and an error with its cause', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const facts = { kind: 'unreachable', method: 'GET', path: '/payments', detail: 'ECONNREFUSED' } as const;
  logger.warn({ event: 'reconciliation_not_possible', err: new ServiceError(facts) });
  logger.error({ event: 'order_event_handler_failed', id: 'order-1:1', err: new TypeError('secret text') });
  const fix = 'Set TRUSTED_PROXIES.';
  logger.warn({ event: 'no_trusted_proxies', meaning: 'every notification is refused', fix });
  const [away = '', thrown = '', proxies = ''] = lines.map((line) =>
    said(formatLogLine('merchant', line, { columns: 120, paint: plain })),
  );
  const indent = ' '.repeat(13);
  const cause = 'cause: ServiceError, unreachable, method GET, path /payments, detail ECONNREFUSED';
  expect(away).toBe(`!! reconciliation not possible\n${indent}${cause}\n`);
  expect(thrown).toMatch(
    /^!! order event handler failed order-1:1\n {13}cause: TypeError, at .*log-lines\.test\.ts/,
  );
  expect(thrown).not.toContain('secret text');
  const advice = `${indent}every notification is refused\n${indent}${fix}\n`;
  expect(proxies).toBe(`!! no trusted proxies\n${advice}`);
});

test.each<[string, number | null, string | null, string]>([
  ['POST /subscribe/payments/again', 200, null, '-> 200 3 ms'],
  ['POST /users/getToken', 200, null, ''],
  ['POST /users/getToken', 503, 'status', '-> 503 fault: status 3 ms'],
  ['GET /payments/status/:payment_status', 200, null, ''],
  ['POST /payments/cancel', null, 'reset', '-> no answer fault: reset 3 ms'],
])(
  'a call to the sandbox is shown, routine where it goes wrong: %s %p',
  (endpoint, status, fault, result) => {
    const [method, path] = endpoint.split(' ');
    const call = { level: 20, time: 0, name: 'sandbox', endpoint, method, path, status, took_ms: 3, fault };
    const line = show({ ...call, msg: 'request' }, { program: 'sandbox' });
    expect(said(line)).toBe(result === '' ? '' : `<- sandbox ${endpoint}  ${result}\n`);
  },
);

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
