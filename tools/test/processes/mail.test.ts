// The example of docs/03-guides/4-order-events.md replaces the default file: a paid order sends one mail to its buyer, over SMTP.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { copyWithExample, ROOT, type ShopCopy } from '../../../test/support/shop-copy';
import { useSurroundings, type Merchant } from '../../../test/support/use-surroundings';

const around = useSurroundings();
let copy: ShopCopy;
let mailServer: SMTPServer;
let merchant: Merchant;
const mails: { to: string[]; text: string }[] = [];

beforeAll(async () => {
  copy = copyWithExample('mail');
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
  const { port } = mailServer.server.address() as AddressInfo;
  // As on a server, the replaced file is loaded before `.env` is read.
  const dotEnv = `SMTP_URL=smtp://127.0.0.1:${port}\n`;
  merchant = await around.startMerchant({}, { root: copy.root, dotEnv });
  await around.sandbox.settings({ webhook_url: `${merchant.url}/webhooks/payments` });
});
afterAll(async () => {
  await new Promise<void>((resolve) => mailServer?.close(() => resolve()));
  copy?.remove();
});

async function pay(merchantUid: string, buyer?: { email: string }): Promise<void> {
  const order = { merchant_uid: merchantUid, name: 'Green tea', amount: 12_000, ...(buyer && { buyer }) };
  expect((await merchant.api('POST', '/api/orders', order)).status).toBe(201);
  await around.sandbox.pay({ merchant_uid: merchantUid, amount: 12_000 });
}

const delivered = (merchantUid: string) =>
  around.rows.waitFor(
    `select from event_deliveries where stream = $1 and target = 'handler' and delivered_at is not null`,
    [merchantUid],
  );

test('a paid order sends one mail to its buyer, and none without an address', async () => {
  await pay('mail-1', { email: 'hana@example.com' });
  await pay('mail-2');
  await delivered('mail-1');
  await delivered('mail-2');
  expect(mails).toHaveLength(1);
  const [mail] = mails;
  expect(mail?.to).toEqual(['hana@example.com']);
  expect(mail?.text).toContain('Subject: Your order mail-1 is paid');
  expect(mail?.text).toContain('Message-ID: <mail-1:1@shop.example>');
});

test('the receiver of docs/05-monitoring.md sends each notice as a mail', async () => {
  const { port } = mailServer.server.address() as AddressInfo;
  const file = join(ROOT, 'docs', 'examples', 'notices', 'receiver.mjs');
  const env = {
    ...process.env,
    PORT: '0',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_TO: 'kim@shop.example',
  };
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${/\d+/.exec(String(line))?.[0]}`;
    const text = '1 new case needs a person: Charges\nhttps://pay.shop.example/operator/desk';
    const { status } = await fetch(url, { method: 'POST', body: JSON.stringify({ text }) });
    expect(status).toBe(200);
    expect(mails.at(-1)).toMatchObject({ to: ['kim@shop.example'] });
    expect(mails.at(-1)?.text).toContain('Subject: 1 new case needs a person: Charges');
    expect((await fetch(url, { method: 'POST', body: 'no JSON' })).status).toBe(400);
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
});
