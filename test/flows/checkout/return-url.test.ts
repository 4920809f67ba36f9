// The return page leads the customer on to the page of the shop that its address names (`return_url`), and says what is
// true whatever is wrong with that address.

import { FETCH_PAYMENT } from '../../support/endpoints';
import type { Answer } from '../../support/member-browser';
import { registerOrder } from '../../support/orders';
import { openReturnPage, payForReturn, returnPath, returnState } from '../../support/return-page';
import { useWorld } from '../../support/use-world';

const SHOP = 'https://shop.example.com';
const THANKS = `${SHOP}/thanks?order=7&from=window`;

const world = useWorld({ environment: { RETURN_URLS: SHOP } });

const named = (returnUrl: string) => `&return_url=${encodeURIComponent(returnUrl)}`;
const unescaped = (text: string) => text.replaceAll('&amp;', '&');
/** Where "Go back" leads. */
const shopPage = ({ html }: Answer) => unescaped(/href="([^"]*)">Go back</.exec(html)?.[1] ?? '');

test.each([THANKS, '/cards/new', `${SHOP}/`])('a payment leads on to %s', async (returnUrl) => {
  const { path } = await payForReturn(world);
  const answer = await openReturnPage(world, path + named(returnUrl));
  expect([answer.status, returnState(answer), shopPage(answer)]).toEqual([200, 'paid', returnUrl]);
});

test('without an address it is the page of the shop, in the chosen language', async () => {
  const { path } = await payForReturn(world);
  expect(shopPage(await openReturnPage(world, path))).toBe('/cards');
  expect(shopPage(await openReturnPage(world, `${path}&lang=en`))).toBe('/cards?lang=en');
});

test('the shop’s address is the shop’s: no language is added to it', async () => {
  const { path } = await payForReturn(world);
  expect(shopPage(await openReturnPage(world, `${path}${named(THANKS)}&lang=en`))).toBe(THANKS);
});

test.each(['failed', 'virtual_account'])('%s leads on to it, too', async (outcome) => {
  const { path } = await payForReturn(world, { outcome });
  expect(shopPage(await openReturnPage(world, path + named(THANKS)))).toBe(THANKS);
});

test('a payment that is missing leads on to it, too', async () => {
  const uid = await registerOrder(world);
  const answer = await openReturnPage(world, `/orders/${uid}/return?x=1${named(THANKS)}`);
  expect([answer.status, returnState(answer), shopPage(answer)]).toEqual([404, 'missing', THANKS]);
  const korean = unescaped(/href="([^"]+)" lang="ko"/.exec(answer.html)?.[1] ?? '');
  expect(korean).toContain(named(THANKS).slice(1));
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  `${SHOP}@evil.example`,
  `${SHOP}.evil.example/`,
  '',
])('%j is ignored: what is true is said, and the way on is our own', async (returnUrl) => {
  const { path } = await payForReturn(world);
  const answer = await openReturnPage(world, path + named(returnUrl));
  expect([answer.status, returnState(answer), shopPage(answer)]).toEqual([200, 'paid', '/cards']);
  expect(answer.html).not.toMatch(/evil|alert/);
  expect(world.log.events('return_url_ignored')).not.toEqual([]);
  expect(world.log.text()).not.toContain('evil');
});

test('it survives the refreshes of the page, its links, and the switch of the language', async () => {
  const { path } = await payForReturn(world);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
  const answer = await openReturnPage(world, `${path}${named(THANKS)}&lang=en`);
  expect(returnState(answer)).toBe('not_known_yet');
  const refresh = /^3; url=(.+)$/.exec(answer.headers.get('refresh') ?? '')?.[1] ?? '';
  const again = unescaped(/href="([^"]+)">Check again now/.exec(answer.html)?.[1] ?? '');
  const stop = unescaped(/href="([^"]+)">Do not check by itself/.exec(answer.html)?.[1] ?? '');
  const english = unescaped(/href="([^"]+)" lang="en"/.exec(answer.html)?.[1] ?? '');
  expect(refresh).toBe(`${path}&attempt=1${named(THANKS)}&lang=en`);
  for (const next of [refresh, again, stop, english]) {
    const page = await openReturnPage(world, next);
    expect([next, returnState(page), shopPage(page)]).toEqual([next, 'paid', THANKS]);
  }
});

test('the payment window brings it back: its own query is kept', async () => {
  const uid = await registerOrder(world);
  const returnUrl = `${world.url}/orders/${uid}/return?return_url=${encodeURIComponent(THANKS)}`;
  const window = new URLSearchParams({
    merchant_uid: uid,
    amount: '1000',
    return_url: returnUrl,
    outcome: 'paid',
  });
  const sent = await fetch(`${world.sandbox.url}/window`, {
    method: 'POST',
    body: window,
    redirect: 'manual',
  });
  const location = new URL(sent.headers.get('location') ?? '');
  expect(location.origin).toBe(world.url);
  const answer = await openReturnPage(world, location.pathname + location.search);
  expect([returnState(answer), shopPage(answer)]).toEqual(['paid', THANKS]);
});

test('an address that is not known yet is not lost where the database is away', async () => {
  const { uid, svcUid } = await payForReturn(world);
  const path = returnPath(uid, svcUid) + named(THANKS);
  const answer = await world.withoutDatabase(() => openReturnPage(world, path));
  expect([answer.status, answer.headers.get('refresh')]).toEqual([
    503,
    expect.stringContaining(named(THANKS)),
  ]);
});
