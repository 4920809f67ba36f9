// `npm run doctor -- --live`: what the database shows of the first steps with the live account: the test button (§6.3),
// and a payment of 100 won that was refunded. It only reads; a person does the steps.

import { webhookUrl } from '../core/webhooks/webhook-path';
import { FEATURES } from '../features';
import type { Context } from '../platform/context';
import { DatabaseError } from '../platform/errors';
import type { CardEntry } from '../platform/http/views';
import type { Check } from './doctor-checks';
import { findFirstPayment, findTestNotification } from './doctor-store';

const HOUR_MS = 3_600_000;
const FIRST_AMOUNT = 100;
const FIRST_ORDER = 'first-100-won';
/** In place of PUBLIC_URL, if it is not set. */
export const YOUR_HOST = 'https://your.host';

/** Empty if the database does not answer: its own check reports that. */
export async function checkFirstPayment(context: Context): Promise<Check[]> {
  try {
    return [await checkTestButton(context), ...(await checkPayment(context))];
  } catch (error) {
    if (error instanceof DatabaseError) return [];
    throw error;
  }
}

async function checkTestButton(context: Context): Promise<Check> {
  const name = 'test button';
  const last = await findTestNotification(context);
  const isRecent = last !== null && +context.clock.now() - +last < HOUR_MS;
  if (isRecent) return { name, state: 'ok', says: `it has arrived at ${last.toISOString()}` };
  return {
    name,
    state: 'by hand',
    says: last ? `it has last arrived at ${last.toISOString()}` : 'it has not arrived yet',
    fix: `In the service’s admin console, enter ${webhookUrl(context.config.publicUrl ?? YOUR_HOST)} and press the test button. Then run this again within an hour.`,
  };
}

async function checkPayment(context: Context): Promise<Check[]> {
  const { publicUrl } = context.config;
  const payment = await findFirstPayment(context, FIRST_AMOUNT);
  if (payment === null)
    return [
      {
        name: 'first payment',
        state: 'by hand',
        says: `no payment of ${FIRST_AMOUNT} won has been recorded in the last 90 days`,
        fix: [
          'Make one with your own card:',
          ...setVariables(publicUrl),
          curl('/api/orders', { merchant_uid: FIRST_ORDER, name: 'First payment', amount: FIRST_AMOUNT }),
          ...payFirstOrder(FEATURES.find((feature) => feature.cardEntry)?.cardEntry),
        ].join('\n'),
      },
      { name: 'first refund', state: 'by hand', says: 'after the first payment' },
    ];
  const { svcUid, merchantUid, isRefunded } = payment;
  const recorded = `${svcUid} for ${merchantUid}`;
  return [
    { name: 'first payment', state: 'ok', says: recorded },
    isRefunded
      ? { name: 'first refund', state: 'ok', says: recorded }
      : {
          name: 'first refund',
          state: 'by hand',
          says: `${recorded} is not refunded`,
          fix: [
            'Refund it:',
            ...setVariables(publicUrl),
            curl(`/api/payments/${svcUid}/cancel`, { reason: 'first payment', checksum: FIRST_AMOUNT }),
          ].join('\n'),
        },
  ];
}

/** With a registered card, or in the payment window of a shop whose server takes no cards. */
function payFirstOrder(cardEntry: CardEntry | undefined): string[] {
  if (!cardEntry) return [`# pay ${FIRST_ORDER} in the payment window: docs/03-guides/2-own-checkout.md`];
  return [
    `# open $MERCHANT${cardEntry.register} and register your card; the newest issuance has its customer_uid`,
    curl('/api/issuances?limit=1'),
    curl(`/api/orders/${FIRST_ORDER}/charge`, { customer_uid: 'CUSTOMER_UID' }),
  ];
}

/** Without the key: this text may be copied into a ticket. */
function setVariables(publicUrl: string | null): string[] {
  return [`export MERCHANT=${publicUrl ?? YOUR_HOST}`, 'export API_KEY=… # as in the settings'];
}

function curl(path: string, body?: object): string {
  const headers = `-H "Authorization: Bearer $API_KEY"`;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `curl -sS ${headers}${data} "$MERCHANT${path}"`;
}
