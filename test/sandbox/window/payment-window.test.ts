// The payment window's stand-in over HTTP: the page, its refusals, and what each choice leads to. What a person sees and
// does is in test/browser/payment-window.test.ts.

import { eventually } from '../../support/eventually';
import { NOW, runSandbox, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver(() => answer());
const service = useSandbox(() => ({ webhookUrl: receiver.url }));
let answer: () => number | 'hang';
beforeEach(() => {
  answer = () => 200;
});

type Fields = Record<string, string>;
const RETURN_URL = 'https://shop.example/return?cart=7&note=a%20b#end';
const ORDER = { merchant_uid: 'order-1', amount: '12000', return_url: RETURN_URL };

const addressOf = (fields: Fields = {}) =>
  `/window?${new URLSearchParams({ ...ORDER, ...fields }).toString()}`;
const open = (fields: Fields = {}, headers: Fields = {}) =>
  service.call('GET', addressOf(fields), undefined, headers);
const choose = (outcome: string, fields: Fields = {}, headers: Fields = {}, sent: Fields = {}) =>
  service.call('POST', addressOf(fields), new URLSearchParams({ outcome, ...sent }), headers);
const queryOf = (response: { headers: Headers }) =>
  Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams);
const newest = async () => (await service.get('/payments/find/order-1')).body.response;

test('the page says that it is a sandbox, what is paid and which host it returns to, without script or style inside', async () => {
  const { status, text, headers } = await open({ name: '책 "하나"', buyer_name: '<b>김</b>' });
  expect([status, headers.get('content-language')]).toEqual([200, 'ko']);
  for (const said of ['실제 돈은', '12,000원', 'order-1', 'shop.example', '책 &quot;하나&quot;'])
    expect(text).toContain(said);
  expect(text).not.toMatch(/<b>|<style|style=|<script|onclick=/);
});

test.each([
  ['merchant_uid', 'a b'],
  ['amount', '12.5'],
  ['return_url', 'javascript:alert(1)'],
  ['return_url', 'https://shop.example@evil.example/'],
  ['notice_url', 'ftp://shop.example/hook'],
])('the page is a 400 that names %s where it is %s', async (field, value) => {
  for (const { status, text } of [await open({ [field]: value }), await choose('paid', { [field]: value })]) {
    expect(status).toBe(400);
    expect([...text.matchAll(/<code>(\w+)<\/code> 형식이/g)].map(([, name]) => name)).toEqual([field]);
  }
  expect((await service.get('/payments/status/all')).body.response.total).toBe(0);
});

test('the page names everything that is missing, in both languages', async () => {
  for (const [lang, said] of Object.entries({ ko: '필수 값인데 없어요', en: 'Required, but missing' })) {
    const { status, text } = await service.call('GET', `/window?lang=${lang}`);
    expect(status).toBe(400);
    for (const field of ['merchant_uid', 'amount', 'return_url'])
      expect(text).toContain(`<code>${field}</code> ${said}`);
  }
});

test('the page does not open for an order that was registered with another amount', async () => {
  await service.post('/payments/prepare', { merchant_uid: 'order-1', amount: 999 });
  const refused = { status: 409, text: expect.stringContaining('amount: another amount is registered') };
  for (const refusal of [await open(), await choose('paid')]) expect(refusal).toMatchObject(refused);
  expect((await open({ amount: '999' })).status).toBe(200);
});

test('a choice redirects with the ids and success, keeps the query of return_url, and notifies', async () => {
  const sent = { customer_uid: 'card-1', custom_data: '{"cart":7}' };
  const response = await choose('paid', sent);
  expect(response.status).toBe(302);
  const payment = await newest();
  expect(response.headers.get('location')).toBe(
    `https://shop.example/return?cart=7&note=a%20b&svc_uid=${payment.svc_uid}&merchant_uid=order-1&svc_success=true#end`,
  );
  expect(payment).toMatchObject({ ...sent, status: 'paid', amount: 12000, currency: 'KRW' });
  await service.notifications();
  const { svc_uid } = payment;
  expect(receiver.bodies()).toEqual([{ svc_uid, merchant_uid: 'order-1', status: 'paid' }]);
});

test.each([
  ['declined', '한도초과'],
  ['closed', '[결제포기]'],
])(
  'a choice of %s: a failed payment, success=false with the reason, and no notification (§6.1)',
  async (choice, reason) => {
    const query = queryOf(await choose(choice));
    const payment = await newest();
    expect(payment).toMatchObject({ status: 'failed', fail_reason: expect.stringContaining(reason) });
    expect(query).toEqual({
      cart: '7',
      note: 'a b',
      svc_uid: payment.svc_uid,
      merchant_uid: 'order-1',
      svc_success: 'false',
      error_msg: payment.fail_reason,
    });
    expect(await service.notifications()).toEqual([]);
  },
);

test('virtual account: success=true and a ready payment with the account in its record', async () => {
  const response = await choose('virtual_account', { pay_method: 'card' });
  expect(queryOf(response)).toMatchObject({ svc_success: 'true' });
  const account = { vbank_num: expect.any(String), vbank_name: expect.any(String) };
  expect(await newest()).toMatchObject({ status: 'ready', pay_method: 'vbank', ...account });
});

test('slow: paid some seconds later on the clock of the sandbox, then redirected', async () => {
  const pending = choose('slow');
  const nextMs = () => service.sandbox.service.timeline.nextMs();
  await eventually(() => nextMs() !== undefined);
  expect(nextMs()).toBe((NOW + 3) * 1000);
  expect((await service.get('/payments/find/order-1')).status).toBe(404);
  await service.advance(3);
  expect(await newest()).toMatchObject({ status: 'paid', paid_at: NOW + 3 });
  expect(queryOf(await pending)).toMatchObject({ svc_success: 'true' });
});

test('a choice notifies the notice_url of the window in place of the setting', async () => {
  const notice_url = `${receiver.url}/of-the-window`;
  await choose('paid', { notice_url });
  expect(await service.notifications()).toMatchObject([{ url: notice_url }]);
});

test('a choice takes the device from the browser, unless the shop names it', async () => {
  const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36' };
  await choose('paid', {}, phone);
  expect((await newest()).channel).toBe('mobile');
  await choose('paid', { channel: 'pc' }, phone);
  expect((await newest()).channel).toBe('pc');
});

test('a choice sends the browser back before the receiver answers, or after it on setting (§6.5.1)', async () => {
  const attempts = async () =>
    (await service.control('GET', '/notifications')).body.notifications.at(-1).attempts;
  answer = () => 'hang';
  expect((await choose('paid')).status).toBe(302);
  expect(await attempts()).toEqual([]);
  answer = () => 200;
  await service.settings({ webhook_before_redirect: true });
  expect((await choose('paid')).status).toBe(302);
  expect(await attempts()).toMatchObject([{ answer: { status: 200 } }]);
  await receiver.close(); // ends the first delivery
});

test('a choice made twice in one window makes one payment; another choice, or another window, makes another', async () => {
  const openedId = async () => /name="window_id" value="([^"]+)"/.exec((await open()).text)?.[1] ?? '';
  const press = async (outcome: string, window_id: string) =>
    queryOf(await choose(outcome, {}, {}, { window_id }))['svc_uid'];
  const window_id = await openedId();
  const [declined, again] = await Promise.all([press('declined', window_id), press('declined', window_id)]);
  expect(again).toBe(declined);
  const others = [await press('paid', window_id), await press('paid', await openedId())];
  expect(new Set([declined, ...others]).size).toBe(3);
  await service.control('POST', '/reset');
  expect(await press('paid', window_id)).not.toBe(others[0]);
});

test('a choice that does not exist is a 400, and a form from the page of another site a 403', async () => {
  for (const outcome of ['', 'much'])
    expect(await choose(outcome)).toMatchObject({ status: 400, text: expect.stringContaining('outcome') });
  expect((await choose('paid', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await service.get('/payments/find/order-1')).status).toBe(404);
});

describe('the window over a page of the shop', () => {
  const PAGE = 'https://shop.example';
  const framed = { merchant_uid: 'order-1', amount: '12000', callback_origin: PAGE };
  const framedAddress = (fields: Fields = {}) =>
    `/window?${new URLSearchParams({ ...framed, ...fields }).toString()}`;
  const framersOf = ({ headers }: { headers: Headers }) =>
    /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
  /** What the page passes on, and to which origin. */
  const passedOn = ({ text }: { text: string }) => {
    const [, result = '', origin] = /data-result="([^"]*)" data-origin="([^"]*)"/.exec(text) ?? [];
    return { origin, result: JSON.parse(result.replaceAll('&quot;', '"')) as Record<string, unknown> };
  };

  test('may be framed by that page alone', async () => {
    expect(framersOf(await service.call('GET', framedAddress()))).toBe(PAGE);
    for (const address of [addressOf(), framedAddress({ callback_origin: `${PAGE}/path` })])
      expect(framersOf(await service.call('GET', address))).toBe("'none'");
  });

  test('passes ids and success to that page in place of a redirect', async () => {
    const press = (outcome: string) =>
      service.call('POST', framedAddress(), new URLSearchParams({ outcome }));
    const paid = await press('paid');
    const { svc_uid } = await newest();
    expect([paid.status, passedOn(paid)]).toEqual([
      200,
      { origin: PAGE, result: { success: true, svc_uid, merchant_uid: 'order-1' } },
    ]);
    const { result } = passedOn(await press('declined'));
    expect(result).toMatchObject({ success: false, error_msg: expect.stringContaining('한도초과') });
  });

  test('passes a refusal on, and makes no payment', async () => {
    const { status, ...page } = await service.call('GET', framedAddress({ amount: 'much' }));
    expect([status, passedOn(page).result]).toEqual([
      400,
      { success: false, merchant_uid: 'order-1', error_msg: expect.stringContaining('amount: ') },
    ]);
    await service.post('/payments/prepare', { merchant_uid: 'order-1', amount: 999 });
    const refused = await service.call('GET', framedAddress());
    expect([refused.status, passedOn(refused).result['error_msg']]).toEqual([
      409,
      expect.stringContaining('another amount is registered'),
    ]);
  });
});

test('the gateway of the browser script (`pg`) is that of the payment', async () => {
  await choose('paid', { pg: 'kcp.MID-7' });
  expect(await newest()).toMatchObject({ pg_provider: 'kcp', pg_id: 'MID-7' });
});

test('the browser script defines the object of the live name', async () => {
  const own = await service.call('GET', '/window.js');
  expect(own.headers.get('content-type')).toContain('javascript');
  expect(own.text).toContain("})('svc');");
  const live = await runSandbox({ namePrefix: 'abc' });
  expect((await live.call('GET', '/window.js')).text).toContain("})('abc');");
  await live.close();
});
