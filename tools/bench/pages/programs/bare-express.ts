// The bare routes that the product is compared with: Express, axios and pg with their defaults. The form is a static text of the
// same size. A registration makes the same two calls (§4.2, §4.7) with one token for all, and one insert, without checks,
// limits, logs or stored attempts.

import axios from 'axios';
import express from 'express';
import { listen, openPool, SERVICE_URL } from '../../intake/programs/program';

type Envelope<Response> = { code: number; response: Response };
type Key = { customer_uid: string; card_name: string | null; card_number: string | null };

const FORM = `<!doctype html><title>Card</title>${'<p>a line of the form</p>'.repeat(400)}`;
const CARD_FIELDS = ['card_number', 'expiry', 'birth', 'pwd_2digit'];

const database = openPool();
let token: Promise<string> | undefined;

const app = express();
app.get('/cards/new', (_request, response) => {
  response.type('html').send(FORM);
});

app.post('/cards', express.urlencoded({ extended: false }), async (request, response) => {
  const fields = request.body as Record<string, string>;
  const { customer_uid: customerUid = '' } = fields;
  const card = Object.fromEntries(CARD_FIELDS.map((name) => [name, fields[name]]));
  token ??= signIn();
  const headers = { Authorization: `Bearer ${await token}` };
  const address = `${SERVICE_URL}/subscribe/customers`;
  const issued = await axios.post<Envelope<Key>>(`${address}/${customerUid}`, card, { headers });
  const params = { customer_uid: [customerUid] };
  const shown = await axios.get<Envelope<Key[]>>(address, { headers, params });
  const [key] = shown.data.response;
  if (issued.data.code !== 0 || key?.customer_uid !== customerUid) {
    response.status(400).send('declined');
    return;
  }
  await database.query(
    'insert into keys (customer_uid, card_name, card_number, created_at) values ($1, $2, $3, now())',
    [customerUid, key.card_name, key.card_number],
  );
  response.redirect(303, '/cards');
});

async function signIn(): Promise<string> {
  const credentials = { svc_key: process.env['SERVICE_KEY'], svc_secret: process.env['SERVICE_SECRET'] };
  const answer = await axios.post<Envelope<{ access_token: string }>>(
    `${SERVICE_URL}/users/getToken`,
    credentials,
  );
  return answer.data.response.access_token;
}

listen(app);
