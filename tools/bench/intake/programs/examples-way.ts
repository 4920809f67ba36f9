// A program in the style of the service's own examples (§7.3): Express, a new access token for each notification, axios with its
// defaults, and an ORM. It stores nothing before the check, and retries nothing.

import axios from 'axios';
import express from 'express';
import { openDatabase } from '../../../../src/merchant/platform/database';
import { DATABASE_URL, listen, POOL_SIZE, SERVICE_URL, type Notice } from './program';

type Envelope<Response> = { response: Response };
type Payment = { merchant_uid: string; amount: number; currency: string; status: 'paid' };

const database = openDatabase(DATABASE_URL, { connections: POOL_SIZE });
const app = express();
app.use(express.json());

app.post('/webhooks/payments', async (request, response) => {
  const { svc_uid: svcUid, merchant_uid: merchantUid } = request.body as Notice;
  const credentials = { svc_key: 'key', svc_secret: 'secret' };
  const token = await axios.post<Envelope<{ access_token: string }>>(
    `${SERVICE_URL}/users/getToken`,
    credentials,
  );
  const headers = { Authorization: token.data.response.access_token };
  const fetched = await axios.get<Envelope<Payment>>(`${SERVICE_URL}/payments/${svcUid}`, { headers });
  const payment = fetched.data.response;
  const order = await database.order.findUnique({ where: { merchantUid: payment.merchant_uid } });
  if (!order || Number(order.amount) !== payment.amount) {
    response.status(400).json({ status: 'forgery' });
    return;
  }
  const { status, amount, currency } = payment;
  const now = new Date();
  const row = { merchantUid, status, amount, currency, record: payment, fetchedAt: now, updatedAt: now };
  await database.payment.upsert({
    where: { svcUid },
    create: { svcUid, createdAt: now, ...row },
    update: row,
  });
  await database.order.update({ where: { merchantUid }, data: { status, updatedAt: now } });
  response.json({ status: 'success' });
});

listen(app);
