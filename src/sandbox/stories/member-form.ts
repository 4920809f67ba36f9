// Posts the merchant's card form as a member's browser does. The card is invented: the sandbox accepts any well-formed number.

import type { Stage } from './story';

/** The merchant may refuse a form that is posted sooner, because no person fills it in that fast. */
const FILL_IN_SECONDS = 3;

export type Posted = { status: number; customerUid: string };

/** Opens the page and posts its form with a card whose number begins with these eight digits. */
export async function postCardForm(
  stage: Stage,
  path: string,
  action: string,
  prefix: string,
): Promise<Posted> {
  const page = await open(stage, path);
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]{0,400})"`).exec(page)?.[1] ?? '';
  const customerUid = valueOf('customer_uid');
  await stage.wait(FILL_IN_SECONDS);
  const form = {
    customer_uid: customerUid,
    form_token: valueOf('form_token'),
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
  return { status, customerUid };
}

async function open(stage: Stage, path: string): Promise<string> {
  const response = await request(stage, path);
  return response.text();
}

async function request(stage: Stage, path: string, form?: Record<string, string>): Promise<Response> {
  const { merchant } = stage.places;
  if (!merchant) throw new Error('no merchant is known');
  const response = await fetch(`${merchant.url}${path}`, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { cookie: stage.facts['cookie'] ?? '', ...(form && { origin: new URL(merchant.url).origin }) },
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
