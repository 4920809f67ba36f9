// A member's browser without a screen: it keeps cookies, says where it comes from, and does not follow redirects.

import { setTimeout } from 'node:timers/promises';
import { CARD_FORM } from './cards';

export type Answer = { status: number; location: string | null; headers: Headers; html: string };
export type Fields = Record<string, string | readonly string[]>;

export type MemberBrowser = ReturnType<typeof createMemberBrowser>;

/**
 * @param world `fillInMs`: how long it takes to fill in a form, where the server has a clock of its own
 * @param cookies of the browser, where it visits several servers of one host
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
    const response = await fetch(`${world.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'GET' ? {} : { origin: world.url, 'sec-fetch-site': 'same-origin' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: options.body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const { status, headers } = response;
    return {
      status,
      location: headers.get('location'),
      headers,
      html: await response.text(),
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

  /** The form that removes a card, as the list has it: of this card, or of the first one. */
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
    /**
     * Opens the form and posts it with a good card, changed where a test says so. The member means it, also where the
     * card is registered already.
     */
    async register(changes: Fields = {}): Promise<Answer & { customerUid: string }> {
      const hidden = await openForm();
      const answer = await post('/cards', { ...hidden, ...CARD_FORM, register_again: 'on', ...changes });
      return { ...answer, customerUid: hidden.customer_uid };
    },
    async replace(customerUid: string, changes: Fields = {}): Promise<Answer> {
      const path = `/cards/${customerUid}/replace`;
      return post(path, { ...(await openForm(path)), ...CARD_FORM, ...changes });
    },
    /** Posts the form with which a card is removed. */
    remove: (form: { customer_uid: string; form_token: string }): Promise<Answer> =>
      post(`/cards/${form.customer_uid}/remove`, form),
    /** What the member sees of its cards. */
    async cards(): Promise<{ state: string; number: string }[]> {
      const { html } = await send('GET', '/cards');
      return [...html.matchAll(/data-state="(\w+)"[\s\S]*?class="number" dir="ltr">([^<]*)</g)].map(
        ([, state = '', number = '']) => ({ state, number }),
      );
    },
  };
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
