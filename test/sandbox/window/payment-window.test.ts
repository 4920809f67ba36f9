// The payment window's stand-in over HTTP: the page, its refusals, and what each choice leads to. What a person sees and
// does is in test/browser/payment-window.test.ts.

import { NOW, runReceiver, runSandbox, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver(() => answer());
const service = useSandbox(() => ({ webhookUrl: receiver.url }));
let answer: () => number | 'hang';
beforeEach(() => {
  answer = () => 200;
});

const RETURN_URL = 'https://shop.example/return?cart=7&note=a%20b#end';
const ORDER = { merchant_uid: 'order-1', amount: '12000', return_url: RETURN_URL };

const addressOf = (fields: Record<string, string>) => `/window?${new URLSearchParams(fields).toString()}`;
const open = (fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  service.call('GET', addressOf({ ...ORDER, ...fields }), undefined, headers);
const choose = (
  outcome: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
  sent: Record<string, string> = {},
) =>
  service.call(
    'POST',
    addressOf({ ...ORDER, ...fields }),
    new URLSearchParams({ outcome, ...sent }),
    headers,
  );
const locationOf = (response: { headers: Headers }) => new URL(response.headers.get('location') ?? '');
const newest = async () => (await service.get('/payments/find/order-1')).body.response;

describe('the page', () => {
  test('says that it is a sandbox, what is paid and which host it returns to', async () => {
    const { status, text, headers } = await open({ name: '책 "하나"', buyer_name: '<b>김</b>' });
    expect(status).toBe(200);
    expect(headers.get('content-language')).toBe('ko');
    for (const said of [
      '실제 돈은 움직이지 않아요',
      '12,000원',
      'order-1',
      'shop.example',
      '책 &quot;하나&quot;',
    ])
      expect(text).toContain(said);
    expect(text).not.toContain('<b>');
  });

  test('speaks English by ?lang= or by what the browser prefers, Korean otherwise', async () => {
    expect((await open({ lang: 'en' })).text).toContain('No money moves');
    expect((await open({}, { 'accept-language': 'en-GB,en' })).text).toContain('Pay ₩12,000');
    expect((await open({ lang: 'ko' }, { 'accept-language': 'en' })).text).toContain('결제하기');
    expect((await open({ lang: 'xx', currency: 'USD' }, { 'accept-language': 'en' })).text).toContain(
      '$12,000',
    );
  });

  test('sends a policy without unsafe-inline, and has no script and no inline style', async () => {
    const { headers, text } = await open();
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; form-action 'self' http: https:;/,
    );
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<style|style=|<script|onclick=/);
    expect((await service.call('GET', '/static/window.css')).status).toBe(200);
  });

  test.each([
    ['merchant_uid', 'a b'],
    ['amount', '12.5'],
    ['amount', '-1'],
    ['return_url', 'javascript:alert(1)'],
    ['return_url', '/orders/1/return'],
    ['return_url', 'https://shop.example@evil.example/'],
    ['currency', 'YEN'],
    ['name', 'x'.repeat(41)],
    ['buyer_name', 'x'.repeat(17)],
    ['buyer_email', 'x'.repeat(65)],
    ['pay_method', 'x'.repeat(17)],
    ['customer_uid', '...'],
    ['notice_url', 'ftp://shop.example/hook'],
  ])('is a 400 that names %s where it is %s', async (field, value) => {
    for (const { status, text } of [
      await open({ [field]: value }),
      await choose('paid', { [field]: value }),
    ]) {
      expect(status).toBe(400);
      expect(text).toContain(`<code>${field}</code> 형식이 맞지 않아요`);
      expect(text).not.toContain(`<code>${field === 'amount' ? 'merchant_uid' : 'amount'}</code>`);
    }
    expect((await service.get('/payments/status/all')).body.response.total).toBe(0);
  });

  test('names everything that is missing, in both languages', async () => {
    for (const [lang, said] of [
      ['ko', '필수 값인데 없어요'],
      ['en', 'Required, but missing'],
    ]) {
      const { status, text } = await service.call('GET', `/window?lang=${lang}`);
      expect(status).toBe(400);
      for (const field of ['merchant_uid', 'amount', 'return_url'])
        expect(text).toContain(`<code>${field}</code> ${said}`);
    }
  });

  test('takes an address whose own question mark was not encoded', async () => {
    const path = '/window?merchant_uid=order-1&amount=1&return_url=http://shop.example/?page=2';
    const made = await service.call('POST', path, new URLSearchParams({ outcome: 'paid' }));
    expect(locationOf(made).searchParams.get('page')).toBe('2');
  });

  test('does not open for an order that was registered with another amount', async () => {
    await service.post('/payments/prepare', { merchant_uid: 'order-1', amount: 999 });
    for (const { status, text } of [await open(), await choose('paid')]) {
      expect(status).toBe(409);
      expect(text).toContain('amount: another amount is registered');
    }
    expect((await open({ amount: '999' })).status).toBe(200);
  });
});

describe('a choice', () => {
  test('redirects with the ids and success, keeps the query of return_url, and notifies', async () => {
    const response = await choose('paid', { customer_uid: 'card-1', custom_data: '{"cart":7}' });
    expect(response.status).toBe(302);
    const payment = await newest();
    expect(response.headers.get('location')).toBe(
      `https://shop.example/return?cart=7&note=a%20b&svc_uid=${payment.svc_uid}&merchant_uid=order-1&svc_success=true#end`,
    );
    expect(payment).toMatchObject({
      status: 'paid',
      amount: 12000,
      currency: 'KRW',
      customer_uid: 'card-1',
      customer_uid_usage: 'issue',
      custom_data: '{"cart":7}',
    });
    await service.notifications();
    expect(receiver.bodies()).toEqual([
      { svc_uid: payment.svc_uid, merchant_uid: 'order-1', status: 'paid' },
    ]);
  });

  test('declined: a failed payment, success=false with the reason, and no notification (§6.1)', async () => {
    const { searchParams } = locationOf(await choose('declined'));
    const payment = await newest();
    expect(payment).toMatchObject({ status: 'failed', fail_reason: expect.stringContaining('한도초과') });
    expect(Object.fromEntries(searchParams)).toEqual({
      cart: '7',
      note: 'a b',
      svc_uid: payment.svc_uid,
      merchant_uid: 'order-1',
      svc_success: 'false',
      error_msg: payment.fail_reason,
    });
    expect(await service.notifications()).toEqual([]);
  });

  test('closed by the buyer: a failed payment that says so, success=false', async () => {
    const { searchParams } = locationOf(await choose('closed'));
    expect(await newest()).toMatchObject({
      svc_uid: searchParams.get('svc_uid'),
      status: 'failed',
      fail_reason: expect.stringContaining('[결제포기]'),
    });
    expect(searchParams.get('svc_success')).toBe('false');
    expect(searchParams.get('error_msg')).toContain('[결제포기]');
    expect(await service.notifications()).toEqual([]);
  });

  test('virtual account: success=true and a ready payment with the account in its record', async () => {
    const { searchParams } = locationOf(await choose('virtual_account', { pay_method: 'card' }));
    expect(searchParams.get('svc_success')).toBe('true');
    expect(await newest()).toMatchObject({
      status: 'ready',
      pay_method: 'vbank',
      vbank_num: expect.any(String),
      vbank_name: expect.any(String),
    });
    await service.notifications();
    expect(receiver.bodies()).toMatchObject([{ status: 'ready' }]);
  });

  test('slow: paid some seconds later on the clock of the sandbox, then redirected', async () => {
    const pending = choose('slow');
    let nextEvent;
    while (nextEvent === undefined) {
      await service.control('GET', '/clock');
      nextEvent = service.sandbox.service.timeline.nextMs();
    }
    expect(nextEvent).toBe((NOW + 3) * 1000);
    expect((await service.get('/payments/find/order-1')).status).toBe(404);
    await service.advance(3);
    expect(await newest()).toMatchObject({ status: 'paid', paid_at: NOW + 3 });
    expect(locationOf(await pending).searchParams.get('svc_success')).toBe('true');
  });

  test('slow: is given up with a 504 where its time does not come', async () => {
    const frozen = await runSandbox({ slowCardMs: 20 });
    const response = await frozen.call('POST', addressOf(ORDER), new URLSearchParams({ outcome: 'slow' }));
    expect([response.status, response.headers.get('content-type')]).toEqual([
      504,
      'text/html; charset=utf-8',
    ]);
    await frozen.close();
  });

  test('replaces parameters of the same names in return_url, and no others', async () => {
    const return_url = 'http://localhost:3000/orders/order-1/return?merchant_uid=other&a=%2F';
    const { search } = locationOf(await choose('paid', { return_url }));
    expect(search).toMatch(/^\?a=%2F&svc_uid=svc_\d+&merchant_uid=order-1&svc_success=true$/);
  });

  test('names the ids as the live service does', async () => {
    const live = await runSandbox({ namePrefix: 'abc' });
    const response = await live.call('POST', addressOf(ORDER), new URLSearchParams({ outcome: 'paid' }));
    const { searchParams } = locationOf(response);
    expect([...searchParams.keys()]).toEqual(['cart', 'note', 'abc_uid', 'merchant_uid', 'abc_success']);
    expect(searchParams.get('abc_uid')).toMatch(/^abc_\d+$/);
    await live.close();
  });

  test('notifies the notice_url of the window in place of the setting', async () => {
    const other = await runReceiver();
    await choose('paid', { notice_url: other.url });
    await service.notifications();
    expect([other.received.length, receiver.received.length]).toEqual([1, 0]);
    await other.close();
  });

  test('takes the device from the browser, unless the shop names it', async () => {
    const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36' };
    await choose('paid', {}, phone);
    expect((await newest()).channel).toBe('mobile');
    await choose('paid', { channel: 'pc' }, phone);
    expect((await newest()).channel).toBe('pc');
  });

  test('sends the browser back before the receiver answers, or after it on setting (§6.5.1)', async () => {
    answer = () => 'hang';
    expect((await choose('paid')).status).toBe(302);
    expect((await service.control('GET', '/notifications')).body.notifications[0].attempts).toEqual([]);
    answer = () => 200;
    await service.settings({ webhook_before_redirect: true });
    expect((await choose('paid')).status).toBe(302);
    expect((await service.control('GET', '/notifications')).body.notifications[1].attempts).toMatchObject([
      { answer: { status: 200 } },
    ]);
    await receiver.close(); // ends the first delivery
  });

  test('made twice in one window makes one payment; another choice, or another window, makes another', async () => {
    const windowIdOf = ({ text }: { text: string }) =>
      /name="window_id" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const press = async (outcome: string, window_id: string) =>
      locationOf(await choose(outcome, {}, {}, { window_id })).searchParams.get('svc_uid');
    const window_id = windowIdOf(await open());
    const [declined, again] = await Promise.all([press('declined', window_id), press('declined', window_id)]);
    expect(again).toBe(declined);
    const others = [await press('paid', window_id), await press('paid', windowIdOf(await open()))];
    expect(new Set([declined, ...others]).size).toBe(3);
    await service.control('POST', '/reset');
    expect(await press('paid', window_id)).not.toBe(others[0]);
  });

  test('that does not exist is a 400, and a form from the page of another site a 403', async () => {
    for (const outcome of ['', 'much'])
      expect(await choose(outcome)).toMatchObject({ status: 400, text: expect.stringContaining('outcome') });
    expect((await choose('paid', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await service.get('/payments/find/order-1')).status).toBe(404);
  });
});
