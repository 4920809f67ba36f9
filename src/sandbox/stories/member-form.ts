// Posts the merchant's card form as a member's browser does. The card is invented: the sandbox accepts any well-formed number.

import { valueIn } from './scene';
import { toSandbox, type Stage } from './story';

/** The merchant may refuse a form that is posted sooner, because no person fills it in that fast. */
const FILL_IN_SECONDS = 3;

const ISSUANCE = 'POST /subscribe/customers/:customer_uid';

export type OpenForm = { customerUid: string; token: string };
export type Posted = { status: number; customerUid: string };

/** The next forms are those of another member: without a cookie, and from another network. */
export function changeBrowser({ facts }: Stage): void {
  facts['cookie'] = '';
  facts['address'] = newAddress();
}

/** Opens the page and posts its form with a card whose number begins with these eight digits. */
export async function postCardForm(
  stage: Stage,
  path: string,
  action: string,
  prefix: string,
): Promise<Posted> {
  const form = await openCardForm(stage, path);
  await fillIn(stage);
  return { status: await sendCardForm(stage, action, form, prefix), customerUid: form.customerUid };
}

export async function openCardForm(stage: Stage, path: string): Promise<OpenForm> {
  const page = await (await request(stage, path)).text();
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]{0,400})"`).exec(page)?.[1] ?? '';
  return { customerUid: valueOf('customer_uid'), token: valueOf('form_token') };
}

export const fillIn = (stage: Stage): Promise<void> => stage.wait(FILL_IN_SECONDS);

/** Returns the status of the answer. */
export async function sendCardForm(
  stage: Stage,
  action: string,
  { customerUid, token }: OpenForm,
  prefix: string,
): Promise<number> {
  const form = {
    customer_uid: customerUid,
    form_token: token,
    card_number: `${prefix}${String(Math.random()).slice(2, 10).padEnd(8, '0')}`.replace(
      /(\d{4})(?=\d)/g,
      '$1-',
    ),
    expiry: '2037-12',
    birth: '880101',
    pwd_2digit: '12',
    agree_terms: 'on',
    agree_privacy: 'on',
    register_again: 'on',
  };
  const { status } = await request(stage, action, form);
  const shown = `curl -X POST '${stage.places.merchant?.url}${action}' # ${customerUid}`;
  stage.done.push({ curl: shown, status, answer: '' });
  return status;
}

/** How many cards have reached the service. */
export async function countIssuances(stage: Stage): Promise<number> {
  const path = `/requests/count?endpoint=${encodeURIComponent(ISSUANCE)}`;
  return Number(valueIn((await stage.ask(toSandbox('GET', path))).body, 'count'));
}

async function request(stage: Stage, path: string, form?: Record<string, string>): Promise<Response> {
  const { merchant } = stage.places;
  if (!merchant) throw new Error('no merchant is known');
  const response = await fetch(`${merchant.url}${path}`, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      cookie: stage.facts['cookie'] ?? '',
      // As a reverse proxy reports it: the limits of a network count this run alone.
      'x-forwarded-for': (stage.facts['address'] ??= newAddress()),
      ...(form && { origin: new URL(merchant.url).origin }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  });
  const cookies = new Map((stage.facts['cookie'] ?? '').split('; ').filter(Boolean).map(pairOf));
  for (const line of response.headers.getSetCookie()) cookies.set(...pairOf(line.split(';', 1)[0] ?? ''));
  stage.facts['cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return response;
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=');
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** In a network of 64 bits of its own, of the addresses for documentation. */
function newAddress(): string {
  const part = () => Math.floor(Math.random() * 0x10000).toString(16);
  return `2001:db8:${part()}:${part()}::1`;
}
