// A member's browser without a screen: it keeps cookies, says where it comes from, and does not follow redirects.

import { CARD_FIELDS } from '../../src/merchant/billing-keys/card-input';

export type Answer = { status: number; location: string | null; headers: Headers; html: string };
export type Fields = Record<string, string | readonly string[]>;

/** A card that the sandbox accepts. Its values are looked for where they must not be. */
export const GOOD_CARD = {
  card_number: '5409-1357-2468-9012',
  expiry: '11 / 2037',
  birth: '790523',
  pwd_2digit: '86',
  agree_terms: 'on',
  agree_privacy: 'on',
} as const;

export type MemberBrowser = ReturnType<typeof createMemberBrowser>;

export function createMemberBrowser(world: { url: string }) {
  const cookies = new Map<string, string>();

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

  /** The hidden fields of the form on a page. */
  async function openForm(path = '/cards/new'): Promise<{ customer_uid: string; form_token: string }> {
    return hiddenFields((await send('GET', path)).html);
  }

  return {
    cookies,
    send,
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      send('GET', path, { headers }),
    post,
    openForm,
    /**
     * Opens the form and posts it with a good card, changed where a test says so. The member means it, also where the
     * card is registered already.
     */
    async register(changes: Fields = {}): Promise<Answer & { customerUid: string }> {
      const hidden = await openForm();
      const answer = await post('/cards', { ...hidden, ...GOOD_CARD, register_again: 'on', ...changes });
      return { ...answer, customerUid: hidden.customer_uid };
    },
    async replace(customerUid: string, changes: Fields = {}): Promise<Answer> {
      const path = `/cards/${customerUid}/replace`;
      return post(path, { ...(await openForm(path)), ...GOOD_CARD, ...changes });
    },
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

/** Everything of a card that must never be found again, in every spelling it may have had. */
export function traces(fields: Fields): string[] {
  const values = CARD_FIELDS.filter((name) => name !== 'pwd_2digit').flatMap((name) => fields[name] ?? []);
  return values.flatMap((value) => [value, value.replace(/[ -]/g, '')]).filter((value) => value.length >= 6);
}

function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each): [string, string] => [name, each]),
  );
  return new URLSearchParams(pairs).toString();
}
