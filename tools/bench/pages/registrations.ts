// Card registrations as requests. Each has its own member, address and card, and its form was opened before, so that no card
// limit is reached.

import { setTimeout as pause } from 'node:timers/promises';
import { hiddenFields } from '../../../test/support/browsers';
import { CARD, CARD_FORM } from '../../../test/support/cards';
import { FILL_IN_MS } from '../../../test/support/processes';
import { sendAll, type Program, type Sent } from './send-requests';

const AT_ONCE = 16;
let made = 0;
let cards = 0;

/** Opens forms of the product, and waits until they are old enough to be accepted. */
export async function openForms({ port }: Program, count: number): Promise<Sent[]> {
  const origin = `http://127.0.0.1:${port}`;
  const addresses = Array.from({ length: count }, nextAddress);
  const visits = addresses.map((address) => ({
    ...openForm(),
    headers: { 'x-forwarded-for': address },
  }));
  const posts: Sent[] = [];
  await sendAll(port, visits, AT_ONCE, ({ headers, text }, _ms, index) => {
    const [cookie = ''] = headers['set-cookie'] ?? [];
    posts.push(
      post(hiddenFields(text), {
        cookie: cookie.split(';', 1)[0] ?? '',
        origin,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': addresses[index] ?? '',
      }),
    );
  });
  await pause(FILL_IN_MS);
  return posts;
}

/** The same posts for the bare route, which has no forms and takes the service's fields. */
export function bareForms(count: number): Sent[] {
  return Array.from({ length: count }, () => {
    const customer_uid = `bare_${process.pid}_${++made}`;
    return post({ ...CARD, customer_uid, form_token: 'x'.repeat(80) }, {});
  });
}

export function openForm(cookie?: string): Sent {
  return { method: 'GET', path: '/cards/new', headers: cookie === undefined ? {} : { cookie } };
}

function post(hidden: Record<string, string>, headers: Record<string, string>): Sent {
  const card_number = `9410-2000-${inGroups(++cards)}`;
  const body = new URLSearchParams({ ...CARD_FORM, ...hidden, card_number }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return { method: 'POST', path: '/cards', headers: { ...headers, ...type, ...length }, body };
}

/** Returns digits in groups, such as "0001-2345". */
function inGroups(number: number): string {
  const digits = String(number).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

/** An address of RFC 2544. */
function nextAddress(): string {
  made += 1;
  return `198.18.${Math.floor(made / 250)}.${made % 250}`;
}
