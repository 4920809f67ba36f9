// Ten curl calls to begin with, for developers of a merchant in any language. A test runs them unchanged, in this order.

import { defaultConfig, type SandboxConfig } from '../config';
import { toWireNames } from '../http/wire-names';

export type FirstCall = {
  name:
    | 'token'
    | 'address'
    | 'pay'
    | 'look'
    | 'key'
    | 'charge'
    | 'schedule'
    | 'clock'
    | 'fault'
    | 'notifications';
  line: string;
};

const JSON_TYPE = `-H 'content-type: application/json'`;

/**
 * Without the call that sets the address for notifications, if the sandbox was started with one: the calls would cut it
 * off from its merchant.
 * @param url the sandbox's address for the reader
 */
export function firstCalls(
  { namePrefix, serviceKey, serviceSecret, webhookUrl }: SandboxConfig,
  url: string,
): FirstCall[] {
  // Only default credentials are shown.
  const shown = (value: string, usual: string, variable: string) => (value === usual ? usual : variable);
  const key = shown(serviceKey, defaultConfig.serviceKey, '$SERVICE_KEY');
  const secret = shown(serviceSecret, defaultConfig.serviceSecret, '$SERVICE_SECRET');
  const fields = toWireNames(namePrefix, { svc_key: key, svc_secret: secret });
  const signIn = Object.entries(fields).map(([name, value]) => `-d "${name}=${value}"`);
  const bearer = '-H "authorization: Bearer $ACCESS_TOKEN"';
  const post = (path: string, body: string) => `curl -s ${url}${path} ${JSON_TYPE} -d '${body}'`;
  const calls: FirstCall[] = [
    {
      name: 'token',
      line: `ACCESS_TOKEN=$(curl -s ${url}/users/getToken ${signIn.join(' ')} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    },
    {
      name: 'address',
      line: `curl -s -X PATCH ${url}/_sandbox/settings ${JSON_TYPE} -d '{"webhook_url":"http://localhost:8080/webhooks/payments"}'`,
    },
    { name: 'pay', line: post('/_sandbox/payments', '{"merchant_uid":"order-1","amount":1000}') },
    { name: 'look', line: `curl -s ${url}/payments/find/order-1 ${bearer}` },
    {
      name: 'key',
      line: `curl -s ${url}/subscribe/customers/member-1 ${bearer} -d card_number=4242-4242-4242-4242 -d expiry=2037-12 -d birth=880101 -d pwd_2digit=12`,
    },
    {
      name: 'charge',
      line: `curl -s ${url}/subscribe/payments/again ${bearer} -d customer_uid=member-1 -d merchant_uid=order-2 -d amount=1000 -d name=Tea`,
    },
    {
      name: 'schedule',
      line: `curl -s ${url}/subscribe/payments/schedule ${bearer} ${JSON_TYPE} -d "{\\"customer_uid\\":\\"member-1\\",\\"schedules\\":[{\\"merchant_uid\\":\\"order-3\\",\\"schedule_at\\":$(($(curl -s ${url}/_sandbox/clock | sed 's/.*"now":\\([0-9]*\\).*/\\1/') + 600)),\\"amount\\":1000}]}"`,
    },
    { name: 'clock', line: post('/_sandbox/clock', '{"advance_seconds":600}') },
    {
      name: 'fault',
      line: post(
        '/_sandbox/faults',
        '{"endpoint":"GET /payments/:svc_uid","kind":"lost_response","times":1}',
      ),
    },
    { name: 'notifications', line: `curl -s ${url}/_sandbox/notifications` },
  ];
  return webhookUrl === undefined ? calls : calls.filter(({ name }) => name !== 'address');
}
