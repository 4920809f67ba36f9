// axe finds no problems on the sandbox's pages, in both languages, light and dark, narrow and wide, and no page is wider than the
// screen. A payment can be made with the keyboard only.

import { describeInChromium, isFirst, LANGUAGES, unfold, useChromium, violations } from '../support/chromium';
import { runReceiver, runSandbox, type Running } from '../support/running-sandbox';
import { openPage } from './pages';

describeInChromium('the pages of the sandbox', () => {
  let service: Running;
  let receiver: Awaited<ReturnType<typeof runReceiver>>;
  const browser = useChromium();
  let ended: string;
  beforeAll(async () => {
    receiver = await runReceiver(({ body }) => (body.includes('refused') ? 400 : 200));
    service = await runSandbox({ webhookUrl: receiver.url, merchantApiKey: 'key' });
    const { svc_uid } = await service.pay();
    await service.get(`/payments/${svc_uid}`);
    await service.pay({ merchant_uid: 'refused-1', outcome: 'virtual_account' });
    await service.notifications();
    await service.control('POST', '/faults', { endpoint: 'GET /payments/:svc_uid', kind: 'delay' });
    // The receiver is not a working merchant, so the page shows differences.
    const rest = new URLSearchParams({ how: 'rest' });
    const told = await service.call('POST', '/console/stories/forged-amount', rest);
    ended = new URL(told.headers.get('location') ?? '', service.url).searchParams.get('run') ?? '';
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  test.each(LANGUAGES)('in %s', async (lang) => {
    const page = await browser.newPage();
    for (const path of [
      '',
      '/console',
      '/console?q=nothing',
      '/console/stories/duplicate',
      `/console/stories/forged-amount?run=${ended}`,
      '/console/notifications',
      '/console/start',
    ]) {
      await page.goto(`${service.url}${path || '/'}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      await unfold(page);
      expect([path, await violations(page, { isFirst: isFirst(lang) })]).toEqual([path, []]);
    }
    await page.close();
  });

  test('without JavaScript, by the keyboard alone: what came of a press takes the focus, in view', async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 360, height: 640 } };
    const { page } = await openPage(browser, `${service.url}/console?lang=en&show=all`, options);
    const expectInView = async (form: string, text: string) => {
      const message = page.locator(`#message-${form}:focus`);
      await message.waitFor();
      expect(await message.textContent()).toContain(text);
      const box = await message.boundingBox();
      expect([form, box !== null && box.y >= 0 && box.y < 500]).toEqual([form, true]);
    };
    const press = async (button: string) => {
      await page.focus(button);
      await page.keyboard.press('Enter');
    };
    await page.uncheck('#pay [name=register]');
    await press('#pay button[value=paid]');
    await expectInView('pay', 'The merchant answered: 200');
    await press('#activity .act > summary');
    await press('#activity .act[open] button');
    await expectInView('stream', 'was cancelled.');
    await press('#settings > summary');
    await page.fill('#settings-webhook_url', 'nowhere');
    await press('#settings form[action^="/console/settings"] button');
    await expectInView('settings', 'Please correct the value.');
    expect(new URL(page.url()).searchParams.get('show')).toBe('all');
  });

  test('reads the stream again by itself, keeps open what was opened, and says so while nothing answers', async () => {
    const options = { viewport: { width: 1280, height: 900 } };
    const { page } = await openPage(browser, `${service.url}/console?lang=en`, options);
    await page.evaluate("document.querySelector('#activity .timeline details').open = true");
    const opened = await page.getAttribute('#activity .timeline details[open]', 'id');
    await service.pay({ merchant_uid: 'order-live' });
    await page.waitForSelector('text=order-live');
    expect(await page.isVisible(`#${opened} pre`)).toBe(true);
    await page.route('**/console/activity*', (route) => route.abort());
    await page.waitForSelector('#stale');
    expect(await page.isVisible('text=order-live')).toBe(true);
    await page.unroute('**/console/activity*');
    await page.waitForSelector('#stale', { state: 'hidden' });
  });
});
