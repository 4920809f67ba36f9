// The log as `npm start` shows it on a terminal. The input has the format of the programs' lines; the output adds nothing to them.

import { formatLogLine, type Program } from '../../../src/local/log/log-lines';
import { createPaint, type Terminal } from '../../../src/merchant/cli/terminal';
import { ServiceError } from '../../../src/merchant/payment-service/records/service-error';
import { createLogger } from '../../../src/merchant/platform/logger';

const plain = createPaint({}, {});
const show = (
  entry: object,
  { columns = 80, program = 'merchant', paint = plain }: Partial<Terminal> & { program?: Program } = {},
) => formatLogLine(program, JSON.stringify({ level: 30, ...entry }), { columns, paint });
const request = (method: string, path: string, status: number, fields: object = {}) => ({
  time: '2026-11-22T03:04:05.000Z',
  req: { id: '5f0c2f2e-7a5b-4a2e-9c1d-0f6b1f3c8a77', method, path },
  ...fields,
  res: { status },
  responseTime: 12,
  msg: 'request completed',
});
/** Removes the time, which depends on this machine. */
const said = (text: string) => text.replace(/^\d\d:\d\d:\d\d {2}/, '');
const WEBHOOK = '/webhooks/payments';
const PAID = { svc_uid: 'svc_1', merchant_uid: 'order-1001', claimed_status: 'paid', source: '52.78.100.19' };

test('requests and events are a line each, with their result', () => {
  const lists = { paid: { seen: 2, matched: 1, repaired: 0, unresolved: { unknown_order: 1 } } };
  const earlier = { seen: 1, matched: 0, repaired: 1, unresolved: {} };
  const entries = [
    request('POST', WEBHOOK, 200, { ...PAID, outcome: 'recorded' }),
    request('POST', '/api/orders/order-1/charge', 409, { merchant_uid: 'order-1', error_code: 'order_paid' }),
    // The path does not have the member's id.
    request('POST', '/api/members/{member_id}/erase', 200),
    { event: 'attempt_recovered', attempt: 'charge', id: 'abc', merchant_uid: 'order-1', outcome: 'paid' },
    { level: 40, event: 'webhook_source_not_listed', source: '1.2.3.4', check: 'enforce' },
    { event: 'reconciliation', complete: true, lists, earlier },
  ];
  const lines = entries.map((entry) => show({ time: 0, ...entry }));
  for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d {2}\S/);
  expect(lines.map(said).join('')).toBe(`<- paid order-1001 svc_1  -> 200 recorded 12 ms
<- charge order-1  -> 409 order_paid 12 ms
<- erase member  -> 200 12 ms
-- attempt recovered charge abc order-1  -> paid
!! webhook source not listed source=1.2.3.4 check=enforce
-- reconciliation  -> 3 seen, 1 matched, 1 repaired, 1 unresolved
`);
});

test('an error comes with its cause, and without its words', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const facts = { kind: 'unreachable', method: 'GET', path: '/payments', detail: 'ECONNREFUSED' } as const;
  logger.warn({ event: 'reconciliation_not_possible', err: new ServiceError(facts) });
  logger.error({ event: 'order_event_handler_failed', id: 'order-1:1', err: new TypeError('secret text') });
  const [away = '', thrown = ''] = lines.map((line) =>
    said(formatLogLine('merchant', line, { columns: 120, paint: plain })),
  );
  const cause = 'cause: ServiceError, unreachable, method GET, path /payments, detail ECONNREFUSED';
  expect(away).toBe(`!! reconciliation not possible\n${' '.repeat(13)}${cause}\n`);
  // With a long path of this folder, the line is broken.
  expect(thrown).toMatch(
    /^!! order event handler failed order-1:1\n +cause: TypeError, at [^]*log-lines\.test\.ts/,
  );
  expect(thrown).not.toContain('secret text');
});

test('what somebody else has written cannot act on the terminal or begin a line', () => {
  const evil = '\u001b[2J\u009b31m\r\nforged\u202e';
  const line = show(
    { level: 40, time: 0, event: 'event_not_delivered', reason: evil, target: evil },
    { columns: 400 },
  );
  // eslint-disable-next-line no-control-regex -- control characters are intended
  expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(line).toContain(String.raw`\u001b[2J\u009b31m\u000d\u000aforged\u202e`);
  const raw = formatLogLine('merchant', 'console \u001b[2J of the shop', { columns: 80, paint: plain });
  expect(raw).toBe('console \\u001b[2J of the shop\n');
});

test('broken JSON and empty lines do no harm', () => {
  for (const line of ['{', '{"req":null}', '{"req":7,"res":[]}', 'null', '[]', '{"event":{}}'])
    expect(typeof formatLogLine('merchant', line, { columns: 20, paint: plain })).toBe('string');
  expect(formatLogLine('merchant', '', { columns: 80, paint: plain })).toBe('');
});
