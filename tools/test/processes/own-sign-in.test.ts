// A shop replaces the built-in sign-in: one file is replaced by the example of docs/03-guides/1-own-sign-in.md, and the merchant does
// everything else as before.

import { createMemberBrowser, type Answer, type MemberBrowser } from '../../../test/support/browsers';
import { callApi } from '../../../test/support/calls';
import type { HttpServer } from '../../../test/support/http-server';
import { FILL_IN_MS } from '../../../test/support/processes';
import { copyWithExample, type ShopCopy } from '../../../test/support/shop-copy';
import { useSurroundings } from '../../../test/support/use-surroundings';
import { startShopSignIn } from './shop-sign-in';

const DELETE_KEY = 'DELETE /subscribe/customers/:customer_uid';

const around = useSurroundings();
let copy: ShopCopy;
let shop: HttpServer;
let url: string;

beforeAll(async () => {
  copy = copyWithExample('own-sign-in');
  shop = await startShopSignIn(around.rows, (origin) => origin === url);
  const environment = { SIGN_IN_PAGE: `${shop.url}/sign-in`, RETURN_URLS: shop.url };
  const { port } = await around.startMerchant(environment, { root: copy.root });
  // Cookies are of a host and not of a port: the shop's cookie reaches the merchant on localhost.
  url = `http://localhost:${port}`;
});
afterAll(async () => {
  await shop?.close();
  copy?.remove();
});

type Visitor = MemberBrowser & { signIn(sentThere: Answer, memberId: string): Promise<string> };

/** A browser with the same cookies for the shop and the merchant. */
function visit(): Visitor {
  const cookies = new Map<string, string>();
  const atShop = createMemberBrowser({ url: shop.url }, cookies);
  return {
    ...createMemberBrowser({ url, fillInMs: FILL_IN_MS }, cookies),
    /** Follows the redirect to the sign-in, signs in, and returns the path of the merchant to which the browser is sent. */
    async signIn({ status, location }, memberId) {
      expect([status, location?.startsWith(`${shop.url}/sign-in?return_to=`)]).toEqual([303, true]);
      const { pathname, search } = new URL(location ?? '');
      const signedIn = await atShop.get(`${pathname}${search}&member=${memberId}`);
      expect([signedIn.status, new URL(signedIn.location ?? '').origin]).toEqual([303, url]);
      return (signedIn.location ?? '').slice(url.length);
    },
  };
}

async function signedIn(memberId: string): Promise<Visitor> {
  const visitor = visit();
  await visitor.signIn(await visitor.get('/cards'), memberId);
  return visitor;
}

const membersOf = (customerUid: string) =>
  around.rows.query('select member_id, status from billing_keys where customer_uid = $1', [customerUid]);

test.each(['/cards', '/cards/new?lang=en&return_url=%2Fcards%3Fa%3D1', '/cards/card_1/replace'])(
  'a visitor of %s is redirected to the sign-in of the shop and back to the same address',
  async (path) => {
    const stranger = visit();
    const answer = await stranger.get(path);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await stranger.signIn(answer, 'member-1')).toBe(path);
    expect((await stranger.get(path)).status).toBe(path.endsWith('/replace') ? 404 : 200);
  },
);

test('a member registers a card and sees it in every browser, and the row has the id of the shop', async () => {
  const member = await signedIn('member-7');
  const { status, location, customerUid } = await member.register();
  expect([status, location]).toEqual([303, '/cards']);
  expect(await membersOf(customerUid)).toEqual([{ member_id: 'member-7', status: 'active' }]);
  const { body } = await callApi(url, 'GET', '/api/members/member-7/cards');
  expect(body).toMatchObject([{ customer_uid: customerUid, chargeable: true }]);
  const elsewhere = await signedIn('member-7');
  for (const browser of [member, elsewhere])
    expect(await browser.cards()).toEqual([{ state: 'active', number: '5409-13**-****-9012' }]);
  expect((await elsewhere.get(`/cards/${customerUid}/replace`)).status).toBe(200);

  // Another member does not see it, and can neither replace nor remove it.
  const removal = await member.openRemoval();
  const other = await signedIn('member-9');
  expect(await other.cards()).toEqual([]);
  expect((await other.get(`/cards/${customerUid}/replace`)).status).toBe(403);
  const removals = await around.sandbox.requestsDuring(DELETE_KEY, async () => {
    expect((await other.remove(removal)).status).toBe(403);
  });
  expect([removals, await member.cards()]).toEqual([0, [{ state: 'active', number: expect.any(String) }]]);
});
