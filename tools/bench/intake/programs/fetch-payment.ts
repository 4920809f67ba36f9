// Fetches payments for both limit programs: one token for all calls, over a connection pool of undici.

import { Pool } from 'undici';
import { SERVICE_URL } from './program';

const http = new Pool(SERVICE_URL, { connections: 64 });
let token: Promise<string> | undefined;

export type Payment = {
  svc_uid: string;
  merchant_uid: string;
  amount: number;
  currency: string;
  status: string;
};

export async function fetchPayment(svcUid: string): Promise<Payment> {
  token ??= call<{ access_token: string }>('POST', '/users/getToken').then((answer) => answer.access_token);
  return call<Payment>('GET', `/payments/${encodeURIComponent(svcUid)}`, await token);
}

async function call<Response>(method: 'GET' | 'POST', path: string, bearer?: string): Promise<Response> {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const { statusCode, body } = await http.request({ method, path, headers });
  const envelope = (await body.json()) as { code: number; response: Response };
  if (statusCode !== 200 || envelope.code !== 0) throw new Error(`the service answered ${statusCode}`);
  return envelope.response;
}
