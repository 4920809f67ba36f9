// Sends canaries through every route of both programs, in every place of a request that can hold one, and records all answers.

import { setTimeout as pause } from 'node:timers/promises';
import { merchantRoutes, sandboxRoutes, type ServedRoute } from '../../../test/support/all-routes';
import {
  createMemberBrowser,
  signedIn,
  type Answer,
  type MemberBrowser,
} from '../../../test/support/browsers';
import { FILL_IN_MS } from '../../../test/support/processes';
import { send } from '../../../test/support/raw-http';
import type { Rows } from '../../../test/support/rows';
import { FIND_KEYS, ISSUE_KEY, TOKEN, type SandboxControls } from '../../../test/support/sandbox-controls';
import { CANARY_CARD, CANARY_TEL, LONG_PASSWORD, newCard, SECRETS } from './canaries';

export type Tour = {
  /** The merchant's current address. */
  url: () => string;
  sandbox: SandboxControls;
  /** All answers, with headers. */
  answers: string[];
  /** An access token of the service. */
  token: string;
};

/** The return page and the payment window link to themselves in the other language, with the requested address. */
const LINK_TO_ITSELF = /href="\/(orders\/[^"]*\/return|window)[^"]*"/g;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ONETIME = 'POST /subscribe/payments/onetime';
const withKey = { authorization: `Bearer ${SECRETS.API_KEY}` };

/** Sends one request and records its answer or its failure. */
export async function ask(
  { answers }: Pick<Tour, 'answers'>,
  base: string,
  path: string,
  options: Parameters<typeof send>[2],
): Promise<{ status: number; body: string }> {
  const answer = await send(base, path, options).catch(() => ({ status: 0, headers: {}, body: '' }));
  const headers = { ...answer.headers, 'content-length': undefined };
  answers.push(`${JSON.stringify(headers)}\n${answer.body.replace(LINK_TO_ITSELF, '')}`);
  return answer;
}

const keep = ({ answers }: Tour, { headers, html, location }: Answer): void =>
  void answers.push(
    `${JSON.stringify([...headers].filter(([name]) => name !== 'content-length'))} ${location}\n${html}`,
  );

/** Requests every route with canaries in path, query, headers and body. No request is valid. `tourOperatorPages` has its own. */
export async function tourAllRoutes(tour: Tour): Promise<void> {
  const ours = merchantRoutes().filter((route) => !isOfSignedIn(route));
  await tourRoutes(tour, tour.url(), ours, withKey);
  // All routes except those that reset the state.
  const served = sandboxRoutes().filter(({ path }) => !path.endsWith('/reset'));
  await tourRoutes(tour, tour.sandbox.url, served, { authorization: `Bearer ${tour.token}` });
}

const isOfSignedIn = ({ path }: ServedRoute) => path.startsWith('/operator') && !path.endsWith('/sign-out');

/**
 * An operator signs in, sends canaries in bodies of every kind, opens every page and list, and enters canaries into every form
 * about existing rows.
 */
export async function tourOperatorPages(tour: Tour, rows: Rows): Promise<void> {
  const operator = await signedIn({ url: tour.url() }, { password: SECRETS.OPERATOR_PASSWORD });
  const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const routes = merchantRoutes().filter(isOfSignedIn);
  await tourRoutes(tour, tour.url(), routes, { cookie });
  // The tour has pressed the button that restores the address of a merchant beside the sandbox.
  await tour.sandbox.settings({ webhook_url: `${tour.url()}/webhooks/payments` });
  // One row of each kind that has forms.
  await tour.sandbox.pay({ merchant_uid: 'ordered-by-nobody', amount: 1000 });
  const [{ paid } = { paid: '' }] = await rows.query<{ paid: string }>(
    `select max(svc_uid) as paid from payments where status = 'paid' and amount = 1000`,
  );
  const refund = { how: 'part', amount: '100', checksum: '1000', reason: typedByMistake() };
  expect((await operator.post(`/operator/payments/${paid}/refund`, refund)).status).toBe(303);
  await rows.waitFor(`select from discrepancies where merchant_uid = 'ordered-by-nobody'`);
  const [found] = await rows.query<Record<string, string>>(
    `select (select max(id)::text from discrepancies) as discrepancies, (select max(id) from charges) as charges,
       (select max(id)::text from refunds) as refunds, (select max(id)::text from billing_key_issuances) as issuances,
       (select max(stream || ':' || version) from events) as event_id, $1 as svc_uid,
       (select merchant_uid from payments where svc_uid = $1) as merchant_uid`,
    [paid],
  );
  for (const { method, path } of routes) {
    const [, kind = ''] = /desk\/(\w+)/.exec(path) ?? [];
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(found?.[name === 'id' ? kind : name] ?? 'none'),
    );
    if (method === 'get') keep(tour, await operator.get(address));
    else for (const fields of formsOf(path)) keep(tour, await operator.post(address, fields));
  }
  const written = await rows.query('select from notes');
  expect(written.length).toBe(5);
}

/** Card numbers in text fields: in every field of a form, and in the one text field of a valid form. */
function formsOf(path: string): Record<string, string>[] {
  const text = typedByMistake();
  const everywhere = {
    note: text,
    reason: text,
    amount: text,
    resolution: text,
    outcome: text,
    holder: text,
    account: text,
  };
  if (path.endsWith('/refund')) return [everywhere, { reason: text }];
  if (path.endsWith('/resolve')) return [everywhere, { resolution: 'ignored', note: text }];
  if (path.endsWith('/settle')) return [everywhere, { outcome: 'not_executed', note: text }];
  return [everywhere, { note: text }];
}

const typedByMistake = () => `the card is ${newCard().card_number}`;

/**
 * Canaries in bodies of every kind, and in path, query and headers: with the credentials, because then a request reaches the
 * checks of its values, and with keys that are canaries themselves.
 */
async function tourRoutes(
  tour: Tour,
  base: string,
  routes: readonly ServedRoute[],
  credentials: { authorization: string } | { cookie: string },
): Promise<void> {
  const card = { ...newCard(), pwd_2digit: LONG_PASSWORD };
  const query = new URLSearchParams(card).toString();
  const headers = {
    cookie: `member=${card.card_number}; birth=${card.birth}; pin=${LONG_PASSWORD}`,
    referer: `http://127.0.0.1/?${query}`,
    origin: base,
    'user-agent': `browser of ${card.card_number}`,
    'x-request-id': card.card_number,
    'x-forwarded-for': '52.78.100.19',
  };
  const bodies: [string, string][] = [
    [
      'application/json',
      JSON.stringify({ ...card, merchant_uid: [card.card_number], buyer: { tel: [CANARY_TEL] } }),
    ],
    ['application/json', JSON.stringify({ [card.card_number]: card.birth })],
    ['application/json', JSON.stringify(card).slice(0, -3)],
    [FORM_TYPE, `${query}&${card.card_number}=1&form_token=${SECRETS.FORM_SECRET}`],
    [FORM_TYPE, `card_number=%E0%A4${card.card_number}&${query}`],
    [
      'multipart/form-data; boundary=x',
      `--x\r\nContent-Disposition: form-data; name="card_number"\r\n\r\n${query}`,
    ],
    [`text/plain; charset=${card.card_number}`, query],
  ];
  for (const { method, path } of routes) {
    const named = path.replace(/\{\w+\}/g, encodeURIComponent(card.card_number));
    const spaced = path.replace(
      /\{\w+\}/g,
      encodeURIComponent(`card ${card.card_number.replaceAll('-', ' ')}`),
    );
    const upper = method.toUpperCase();
    const send = (target: string, sent: Record<string, string>) =>
      ask(tour, base, target, { method: upper, headers: { ...headers, ...sent } });
    const wrongKeys = [`Bearer ${card.card_number}`, card.card_number];
    const addresses = [named, spaced, `${named}?${query}`, `${named}?${card.card_number}=${LONG_PASSWORD}`];
    await Promise.all([
      ...addresses.map((target) => send(target, credentials)),
      ...wrongKeys.map((authorization) => send(`${spaced}?${query}`, { authorization })),
      ...(upper === 'GET' ? [] : bodies).map(([type, body]) => {
        const sent = { ...headers, ...credentials, 'content-type': type };
        return ask(tour, base, spaced, { method: upper, headers: sent, body });
      }),
    ]);
  }
}

/** Posts cards in the form while the service fails in every way, and with typical mistakes of members. */
export async function tourCardForm(tour: Tour): Promise<void> {
  const faults: Record<string, unknown>[] = [
    ...['reset', 'html', 'garbage', 'redirect', 'lost_response', 'unauthorized'].map((kind) => ({
      endpoint: ISSUE_KEY,
      kind,
    })),
    { endpoint: ISSUE_KEY, kind: 'status', status: 500 },
    { endpoint: FIND_KEYS, kind: 'garbage' },
    { endpoint: TOKEN, kind: 'html' },
    { endpoint: ISSUE_KEY, kind: 'status', status: 400, body: echoOf() },
  ];
  const mistakes: Record<string, string>[] = [
    { pwd_2digit: LONG_PASSWORD },
    { card_number: `${newCard().card_number}X` },
    { birth: `${CANARY_CARD.birth}830417`, expiry: `${CANARY_CARD.expiry}-31` },
    { form_token: newCard().card_number },
    { agree_terms: newCard().card_number, return_url: `https://evil.example/${CANARY_CARD.birth}` },
    { card_holder: 'company', birth: '110-81-41272' },
  ];
  const browsers = await openForms(tour, faults.length + mistakes.length);
  for (const fault of faults) {
    await tour.sandbox.fault({ times: 1, ...fault });
    await post(tour, browsers, {});
    await tour.sandbox.clearFaults();
  }
  for (const mistake of mistakes) await post(tour, browsers, mistake);
}

type OpenForm = { browser: MemberBrowser; form: { customer_uid: string; form_token: string } };

/** Opens a form for each of several members, and waits until it can be posted. */
export async function openForms(tour: Tour, count: number): Promise<OpenForm[]> {
  const forms: OpenForm[] = [];
  while (forms.length < count) {
    const browser = createMemberBrowser({ url: tour.url() });
    forms.push({ browser, form: await browser.openForm() });
  }
  await pause(FILL_IN_MS);
  return forms;
}

/** Posts the next of the open forms with a new card, and returns the member who did. */
export async function post(
  tour: Tour,
  forms: OpenForm[],
  changes: Record<string, string>,
): Promise<MemberBrowser> {
  const { browser, form } = forms.pop() as OpenForm;
  const fields = { ...form, ...newCard(), agree_terms: 'on', agree_privacy: 'on', ...changes };
  // Each member has its own address, so that no limit per address is reached.
  const headers = { 'x-forwarded-for': `198.51.100.${forms.length + 1}` };
  keep(tour, await browser.post('/cards', fields, headers));
  keep(tour, await browser.get('/cards'));
  return browser;
}

/** Key-in payments while the service fails in every way. */
export async function tourOnetime(tour: Tour): Promise<void> {
  const kinds = ['none', 'reset', 'html', 'garbage', 'redirect', 'lost_response', 'unauthorized', 'status'];
  for (const kind of kinds) {
    if (kind !== 'none')
      await tour.sandbox.fault({
        endpoint: ONETIME,
        kind,
        times: 1,
        ...(kind === 'status' && { status: 400, body: echoOf() }),
      });
    await payOnetime(tour, `onetime-${kind}`);
    await tour.sandbox.clearFaults();
  }
}

export const payOnetime = (tour: Tour, merchantUid: string, changes: object = {}) =>
  ask(tour, tour.url(), '/api/onetime', {
    headers: { ...withKey, 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...newCard(), ...changes }),
  });

/** An answer of the service that repeats the request. */
function echoOf(): object {
  const { card_number, birth } = newCard();
  return { code: -1, message: `bad card ${card_number}`, response: { card_number, birth } };
}
