// No card number, birth date, password digits, secret or token is in a log, a file or an answer (fault J16).

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startSandbox } from '../../src/sandbox/start-sandbox';

const card = { card_number: '5105-9988-7766-5544', birth: '770913', pwd_2digit: '97', expiry: '2031-07' };
const svc_secret = 'canary-secret';

test('keeps, logs and shows none of them, whatever is done with a card', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-secrets-'));
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const config = { port: 0, dataDir, serviceSecret: svc_secret };
  const sandbox = await startSandbox({ config, logger });
  let token = '';
  const call = async (path: string, body?: object | string) => {
    const response = await fetch(sandbox.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return response.text();
  };
  const signedIn = await call('/users/getToken', { svc_key: 'sandbox_key', svc_secret });
  token = (JSON.parse(signedIn) as { response: { access_token: string } }).response.access_token;
  const order = { merchant_uid: 'order-1', amount: 10, name: '책', customer_uid: 'card-2' };
  const key = '/subscribe/customers/card-1';
  const seen = [
    await call('/users/getToken', { svc_key: 'wrong', svc_secret }),
    await call(key, card),
    await call(`${key}?card_number=${card.card_number}`, { ...card, birth: '77-09-13' }),
    await call(key, JSON.stringify(card).slice(0, -2)),
    await call(`/subscribe/customers/${card.card_number}`),
    await call('/subscribe/payments/onetime', { ...order, ...card }),
    await call('/payments/status/all'),
    await call('/_sandbox/requests'),
    await call('/_sandbox/notifications'),
    await call('/console/activity?lang=en'),
    ...(await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => call(`/console/requests/${number}?lang=en`)),
    )),
  ];
  await sandbox.close();
  const files = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'));
  rmSync(dataDir, { recursive: true });

  const everything = [...seen, ...lines, ...files].join('\n');
  expect(everything).toContain('5105-99**-****-5544');
  // The bodies are kept, without these fields.
  expect(everything).toContain('&quot;card_number&quot;: &quot;(removed)&quot;');
  for (const canary of [card.card_number, card.card_number.replaceAll('-', ''), svc_secret, token])
    expect(everything).not.toContain(canary);
  // These are searched for as whole values, because their digits also occur inside other numbers.
  for (const canary of [card.birth, card.pwd_2digit, card.expiry])
    for (const quote of ['"', '&quot;']) expect(everything).not.toContain(`${quote}${canary}${quote}`);
});
