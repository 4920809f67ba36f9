// axe finds no problem on the sandbox's pages for people, in both languages, light and dark, narrow and wide, and no page is
// wider than the screen. A payment is made with the keyboard alone.

import { HALF_OF_WAYS, violations } from '../support/axe';
import { describeInChromium, useChromium } from '../support/chromium';
import { runReceiver, runSandbox, type Running } from '../support/running-sandbox';

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
    // The receiver is no merchant that passes, so that the page shows what is different.
    const told = await service.call(
      'POST',
      '/console/stories/forged-amount',
      new URLSearchParams({ how: 'rest' }),
    );
    ended = new URL(told.headers.get('location') ?? '', service.url).searchParams.get('run') ?? '';
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  test.each(HALF_OF_WAYS)(
    '%s, %s, %i px wide',
    async (lang, colorScheme, width) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
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
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
        expect([path, await violations(page)]).toEqual([path, []]);
      }
      await page.close();
    },
    30_000,
  );

  test('pays with the keyboard alone, and the focus stays at the button with what came of it', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${service.url}/console?lang=en`);
    await page.uncheck('#pay [name=register]');
    await page.focus('#pay button[value=paid]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#message-pay');
    const focused = await page.evaluate(
      "[document.activeElement.value, document.activeElement.getAttribute('aria-describedby')]",
    );
    expect(focused).toEqual(['paid', 'message-pay']);
    expect(await page.textContent('#message-pay')).toContain('The merchant answered: 200');
    await page.close();
  });

  test('reads the stream again by itself, and keeps open what was opened', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${service.url}/console?lang=en`);
    await page.evaluate("document.querySelector('#activity .timeline details').open = true");
    const opened = await page.getAttribute('#activity .timeline details[open]', 'id');
    await service.pay({ merchant_uid: 'order-live' });
    await page.waitForSelector('text=order-live', { timeout: 8000 });
    expect(await page.isVisible(`#${opened} pre`)).toBe(true);
    await page.close();
  });
});
