// Simulated browsers of a member and an operator, and readers of the return page.

import { setTimeout } from 'node:timers/promises';
import { ask } from './ask';
import { CARD_FORM } from './cards';
import { OPERATOR_PASSWORD } from './config';
import { openBetween } from './open-between';
import { newUid, paySilently, registerOrder } from './orders';
import type { World } from './world';

export type Answer = { status: number; location: string | null; headers: Headers; html: string };
export type Fields = Record<string, string | readonly string[]>;

export type MemberBrowser = ReturnType<typeof createMemberBrowser>;

/**
 * @param world `fillInMs`: the time to fill in a form, if the server has its own clock
 * @param cookies of the browser, if it visits several servers of one host
 */
export function createMemberBrowser(
  world: { url: string; fillInMs?: number },
  cookies = new Map<string, string>(),
) {
  async function send(
    method: string,
    path: string,
    options: { body?: string; headers?: Record<string, string> } = {},
  ) {
    const answer = await ask(world.url, method, path, {
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'GET' ? {} : { origin: new URL(world.url).origin, 'sec-fetch-site': 'same-origin' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: options.body }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers as Record<string, string | string[]>))
      for (const each of [value].flat()) headers.append(name, each);
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return {
      status: answer.status,
      location: headers.get('location'),
      headers,
      html: answer.text ?? '',
    } satisfies Answer;
  }

  const post = (path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Answer> =>
    send('POST', path, {
      body: encode(fields),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  /** The hidden fields of the first form on a page. */
  async function openForm(path = '/cards/new'): Promise<{ customer_uid: string; form_token: string }> {
    const hidden = hiddenFields((await send('GET', path)).html);
    if (world.fillInMs) await setTimeout(world.fillInMs);
    return hidden;
  }

  /** The removal form in the list of cards: of this card, or of the first one. */
  async function openRemoval(
    customerUid = String.raw`\w+`,
  ): Promise<{ customer_uid: string; form_token: string }> {
    const { html } = await send('GET', '/cards');
    const [form] =
      new RegExp(`<form method="post" action="/cards/${customerUid}/remove[^]*?</form>`).exec(html) ?? [];
    if (form === undefined) throw new Error('The list offers no such card for removal.');
    return hiddenFields(form);
  }

  return {
    cookies,
    send,
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      send('GET', path, { headers }),
    post,
    openForm,
    openRemoval,
    /** Opens the form and posts it with a valid card and these changes; confirms if the card is already registered. */
    async register(changes: Fields = {}): Promise<Answer & { customerUid: string }> {
      const hidden = await openForm();
      const answer = await post('/cards', { ...hidden, ...CARD_FORM, register_again: 'on', ...changes });
      return { ...answer, customerUid: hidden.customer_uid };
    },
    async replace(customerUid: string, changes: Fields = {}): Promise<Answer> {
      const path = `/cards/${customerUid}/replace`;
      return post(path, { ...(await openForm(path)), ...CARD_FORM, ...changes });
    },
    /** Posts the removal form of a card. */
    remove: (form: { customer_uid: string; form_token: string }): Promise<Answer> =>
      post(`/cards/${form.customer_uid}/remove`, form),
    /** The cards as the member sees them. Fails if the list is not shown. */
    async cards(): Promise<{ state: string; number: string }[]> {
      const { html, status } = await send('GET', '/cards');
      if (status !== 200) throw new Error(`the list of cards was answered ${status}`);
      return cardsIn(html);
    },
  };
}

/** The cards of a list. */
export function cardsIn(html: string): { state: string; number: string }[] {
  return [...html.matchAll(/data-state="(\w+)"[\s\S]*?class="number" dir="ltr">([^<]*)</g)].map(
    ([, state = '', number = '']) => ({ state, number }),
  );
}

/** The first form's hidden fields. */
export function hiddenFields(html: string): { customer_uid: string; form_token: string } {
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
  return { customer_uid: valueOf('customer_uid'), form_token: valueOf('form_token') };
}

function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each): [string, string] => [name, each]),
  );
  return new URLSearchParams(pairs).toString();
}

export type OperatorBrowser = MemberBrowser;

/** An operator, signed in before the tests of a file. */
export function useOperator(world: { url: string }, by: string): OperatorBrowser {
  return openBetween(
    beforeAll,
    afterAll,
    () => signedIn(world, { by }),
    () => Promise.resolve(),
  );
}

export async function signedIn(
  world: { url: string },
  { by = 'kim', password = OPERATOR_PASSWORD } = {},
): Promise<OperatorBrowser> {
  const browser = createMemberBrowser(world);
  const { status } = await browser.post('/operator/sign-in', { by, password });
  if (status !== 303) throw new Error(`sign-in was answered ${status}`);
  return browser;
}

const ORDER_NAME = 'Oolong <b>tea</b>';

export const openReturnPage = (world: World, path: string, headers: Record<string, string> = {}) =>
  createMemberBrowser(world).get(path, { 'accept-language': 'en', ...headers });

export const returnPath = (merchantUid: string, svcUid: string, more = '') =>
  `/orders/${merchantUid}/return?abc_uid=${svcUid}&merchant_uid=${merchantUid}${more}`;

/** The state that the page shows: `paid`, `missing` and so on. */
export const returnState = ({ html }: Answer) => /class="result" data-state="(\w+)"/.exec(html)?.[1];

/** Whether the page shows name or amount of the order, in any format, but not within an id. */
export const mentionsOrder = ({ html }: Answer) => /Oolong|(?<!\w)12,?000(?!\w)/.test(html);

/** An order with a payment that was not notified. */
export async function payForReturn(
  world: World,
  fields: Record<string, unknown> = {},
): Promise<{ uid: string; svcUid: string; path: string }> {
  const uid = await registerOrder(world, newUid(), { name: ORDER_NAME, amount: 12_000 });
  const { svc_uid: svcUid } = await paySilently(world, uid, { amount: 12_000, ...fields });
  return { uid, svcUid, path: returnPath(uid, svcUid) };
}
