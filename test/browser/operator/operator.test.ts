// axe finds no problems on the operator pages, light and dark, narrow and wide, in both languages, and no page is wider than the
// screen. An operator can refund with the keyboard only.

import type { BrowserContextOptions, Page } from 'playwright-core';
import {
  describeInChromium,
  isFirst,
  LANGUAGES,
  unfold,
  useChromium,
  violations,
} from '../../support/chromium';
import { OPERATOR_PASSWORD } from '../../support/config';
import { payForNobody, payTwice } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { openPage, widthOf } from '../pages';

describeInChromium('the operator pages', () => {
  const world = useWorld();
  const browser = useChromium();
  let paid: string;
  const order = newUid();
  beforeAll(async () => {
    ({ first: paid } = await payTwice(world, order));
    await registerOrder(world, newUid(), { member_id: 'member-7', buyer: { name: '김하나' } });
    await payForNobody(world, newUid());
    await world.rows.query(
      `insert into refund_requests (svc_uid, amount, balance, currency, reason, needs_account, requested_by, requested_at)
       values ('svc_requested', 600, 1000, 'KRW', 'cold tea', true, 'lee', now())`,
    );
  });

  async function signIn(lang: string, options: BrowserContextOptions = {}): Promise<Page> {
    const { page } = await openPage(browser, `${world.url}/operator/sign-in?lang=${lang}`, options);
    await page.fill('#by', 'kim');
    await page.fill('#password', OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.tiles');
    return page;
  }

  test.each(LANGUAGES)('in %s', async (lang) => {
    const page = await signIn(lang);
    for (const path of [
      '',
      '/desk',
      '/desk/kinds/unknown_order',
      '/notifications',
      `/payments/${paid}`,
      `/orders/${order}`,
      '/orders?sort=largest',
      '/payments?status=paid',
      '/me',
      '/members/member-7',
      '/search?q=1000',
      '/search?q=nothing-like-this',
      '/events',
      '/refunds',
      '/keys',
      '/audit',
      '/nothing',
      // Signed-in operators can open it as well.
      '/sign-in',
    ]) {
      await page.goto(`${world.url}/operator${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      await unfold(page);
      expect([path, await violations(page, { isFirst: isFirst(lang) })]).toEqual([path, []]);
    }
  });

  test('ids and calls have a button that copies them', async () => {
    const page = await signIn('en', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${world.url}/operator/payments/${paid}?lang=en`);
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.click('.head > .copy');
    await page.waitForSelector('.head > .copy:has-text("Copied")');
    expect(await copied()).toBe(paid);
    await unfold(page);
    await page.locator('.copyable > .copy').first().click();
    await page.waitForSelector('.copyable > .copy:has-text("Copied")');
    expect(await copied()).toContain(`/api/payments/${paid}`);
    // On paper there is nothing to press or to fill in.
    await page.emulateMedia({ media: 'print' });
    for (const part of ['nav', '#refund', '.copy', 'button', 'input'])
      expect([part, await page.locator(part).filter({ visible: true }).count()]).toEqual([part, 0]);
  });

  test('on a phone the menus stay on the screen, and a refused refund is shown again, open, with the typed values', async () => {
    const page = await signIn('en', { viewport: { width: 360, height: 900 } });
    for (const menu of await page.locator('.places summary').all()) {
      await menu.click();
      expect(await widthOf(page)).toBe(360);
    }
    await page.goto(`${world.url}/operator/payments/${paid}?lang=en`);
    await page.check('[name=how][value=part]');
    await page.fill('#refund-amount', '1,0OO');
    await page.fill('#refund-reason', 'cold tea');
    await page.click('.decision button');
    await page.waitForSelector('.summary');
    expect(await violations(page)).toEqual([]);
    expect(await page.textContent('.summary')).toContain('Enter the amount as a whole number');
    expect(await page.inputValue('#refund-amount')).toBe('1,0OO');
    expect(await page.isChecked('[name=how][value=part]')).toBe(true);
    await page.fill('#refund-amount', '5');
    await page.click('.decision button');
    await page.waitForSelector('.confirm');
    expect(await violations(page)).toEqual([]);
    expect(await page.textContent('.confirm .danger')).toBe('Refund ₩5');
    await page.click('.confirm .danger');
    await page.waitForSelector('.success');
    expect(await world.rows.query('select amount, cancel_reason from refunds')).toEqual([
      { amount: '5', cancel_reason: 'cold tea' },
    ]);
    await world.rows.query('delete from refunds');
  });

  test('a refund works by keyboard alone', async () => {
    const page = await signIn('en');
    await page.goto(`${world.url}/operator/payments/${paid}?lang=en`);
    await page.focus('[name=how][value=all]');
    // The second of the two choices.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('100');
    await page.keyboard.press('Tab');
    await page.keyboard.type('cold tea');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.confirm');
    await page.focus('.confirm .danger');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.success');
    expect(await world.rows.query('select amount, requested_by from refunds')).toEqual([
      { amount: '100', requested_by: 'kim' },
    ]);
  });
});
