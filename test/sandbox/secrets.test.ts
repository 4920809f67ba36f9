// No card number, birth date, password digits, secret or token is in a log, a file or an answer (fault J16).

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pino from 'pino';
import { startSandbox } from '../../src/sandbox/start-sandbox';

const CANARIES = {
  card_number: '5105-9988-7766-5544',
  birth: '770913',
  pwd_2digit: '97',
  expiry: '2031-07',
  svc_secret: 'canary-secret',
};

test('keeps, logs and shows none of them, whatever is done with a card', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-secrets-'));
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()),
  });
  const logger = pino({ level: 'trace' }, sink);
  const config = { port: 0, dataDir: folder, serviceSecret: CANARIES.svc_secret };
  const sandbox = await startSandbox({ config, logger });
  const { svc_secret, ...card } = CANARIES;
  const call = async (path: string, body?: object | string, token = '') => {
    const response = await fetch(sandbox.url + path, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body !== undefined && {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    });
    return response.text();
  };

  const signedIn = await call('/users/getToken', { svc_key: 'sandbox_key', svc_secret });
  const token = (JSON.parse(signedIn) as { response: { access_token: string } }).response.access_token;
  const order = { merchant_uid: 'order-1', amount: 10, name: '책' };
  const seen = [
    await call('/users/getToken', { svc_key: 'wrong', svc_secret }),
    await call('/subscribe/customers/card-1', card, token),
    await call(
      `/subscribe/customers/card-1?card_number=${card.card_number}`,
      { ...card, birth: '77-09-13' },
      token,
    ),
    await call('/subscribe/customers/card-1', JSON.stringify(card).slice(0, -2), token),
    await call(`/subscribe/customers/${card.card_number}`, undefined, token),
    await call('/subscribe/payments/onetime', { ...order, ...card, customer_uid: 'card-2' }, token),
    await call('/payments/status/all', undefined, token),
    await call('/_sandbox/requests'),
    await call('/_sandbox/notifications'),
  ];
  await sandbox.close();
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
  rmSync(folder, { recursive: true });

  const everything = [...seen, ...lines, ...files].join('\n');
  expect(everything).toContain('5105-99**-****-5544');
  // These are searched for as whole values, because their digits also occur inside other numbers.
  for (const canary of [card.card_number, card.card_number.replaceAll('-', ''), svc_secret, token])
    expect(everything).not.toContain(canary);
  for (const canary of [card.birth, card.pwd_2digit, card.expiry])
    expect(everything).not.toContain(`"${canary}"`);
});
