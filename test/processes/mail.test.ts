// The example of docs/guides/order-events.md, put in place of the file that we ship: a paid order sends one mail to its
// buyer, over SMTP. A mail server that is away for a moment delays it.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../support/eventually';
import { copyWithExample, type ShopCopy } from '../support/shop-copy';
import { useSurroundings, type Merchant } from '../support/use-surroundings';

const around = useSurroundings();
let copy: ShopCopy;
let mailServer: SMTPServer;
let merchant: Merchant;
let isMailServerWell = true;
const mails: { to: string[]; text: string }[] = [];

beforeAll(async () => {
  copy = copyWithExample('mail');
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(isMailServerWell ? null : new Error('later, please')),
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
  // As on a server: the file that is replaced is loaded before `.env` is read.
  const dotEnv = `SMTP_URL=smtp://127.0.0.1:${port}\n`;
  merchant = await around.startMerchant({}, { root: copy.root, dotEnv });
  await around.sandbox.settings({ webhook_url: `${merchant.url}/webhooks/payments` });
});
afterAll(async () => {
  await new Promise<void>((resolve) => mailServer?.close(() => resolve()));
  copy?.remove();
});

const mailsTo = (address: string) => mails.filter(({ to }) => to.includes(address));

async function pay(merchantUid: string, buyer?: { email: string }): Promise<void> {
  const order = { merchant_uid: merchantUid, name: 'Green tea', amount: 12_000, ...(buyer && { buyer }) };
  expect((await merchant.api('POST', '/api/orders', order)).status).toBe(201);
  await around.sandbox.pay({ merchant_uid: merchantUid, amount: 12_000 });
}

const deliveredTo = (merchantUid: string) =>
  around.rows.waitFor(
    `select from event_deliveries where stream = $1 and target = 'handler' and delivered_at is not null`,
    [merchantUid],
  );

test('a paid order sends one mail to its buyer, and one without an address sends none', async () => {
  await pay('mail-1', { email: 'hana@example.com' });
  await pay('mail-2');
  await deliveredTo('mail-1');
  await deliveredTo('mail-2');
  expect(mails).toHaveLength(1);
  const [mail] = mailsTo('hana@example.com');
  expect(mail?.text).toContain('Subject: Your order mail-1 is paid');
  expect(mail?.text).toContain('We have received 12000 KRW for Green tea.');
  expect(mail?.text).toContain('Message-ID: <mail-1:1@shop.example>');
});

test('a mail server that refuses for a moment gets the mail later, and the order is paid all the same', async () => {
  isMailServerWell = false;
  await pay('mail-3', { email: 'minsu@example.com' });
  expect((await merchant.api('GET', '/api/orders/mail-3')).body.status).toBe('paid');
  await eventually(() => merchant.events('event_not_delivered').some(({ id }) => id === 'mail-3:1'));
  expect(mailsTo('minsu@example.com')).toEqual([]);

  isMailServerWell = true;
  // Its next attempt is due after five seconds, and the job looks every minute; neither is waited for here.
  await around.rows.query(
    `update event_deliveries set next_attempt_at = now() where next_attempt_at is not null`,
  );
  await around.rows.query(`select graphile_worker.add_job('deliver-events')`);
  await deliveredTo('mail-3');
  expect(mailsTo('minsu@example.com')).toHaveLength(1);
});
