// The return page in a real browser: axe finds nothing in any of its states, it fits a narrow screen, and it refreshes
// itself without a script.

import { describeInChromium, LANGUAGES, useChromium, violations } from '../support/chromium';
import { newUid, paySilently, registerOrder } from '../support/orders';
import { FETCH_PAYMENT } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

describeInChromium('the return page', () => {
  const world = useWorld();
  const browser = useChromium();
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    const add = async (state: string, fields: Record<string, unknown> = {}) => {
      const uid = await registerOrder(world, newUid(), { name: 'Oolong tea, first flush, 100 g tin' });
      const { svc_uid: svcUid } = await paySilently(world, uid, fields);
      paths[state] = `${world.url}/orders/${uid}/return?abc_uid=${svcUid}&merchant_uid=${uid}`;
      return svcUid;
    };
    await add('paid');
    await add('awaiting_deposit', { outcome: 'virtual_account' });
    await add('failed', { outcome: 'failed' });
    await add('checking', { amount: 999 });
    await world.sandbox.control(await add('partly_refunded'), 'cancel', { amount: 300 });
    await world.sandbox.control(await add('cancelled'), 'cancel');
    paths['not_known_yet'] = (paths['paid'] ?? '').replace('abc_uid=', 'abc_uid=none_');
    paths['missing'] = `${world.url}/orders/nobody/return?abc_uid=..`;
  });

  test.each(LANGUAGES)('has no violation in %s, in any state', async (lang) => {
    const page = await browser.newPage();
    for (const [state, path] of Object.entries(paths)) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      expect(await page.getAttribute('.result', 'data-state')).toBe(state);
      expect([state, await violations(page)]).toEqual([state, []]);
    }
    await page.close();
  });

  test('refreshes itself without JavaScript until it knows, and has nothing to report', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'ko-KR' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    await page.goto(paths['failed'] ?? '');
    expect(await page.textContent('h1')).toBe('결제를 확인하고 있어요');
    await page.waitForURL(/attempt=1/, { timeout: 10_000 });
    expect(await page.textContent('h1')).toBe('결제하지 못했어요');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
