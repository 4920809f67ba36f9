// Input in the card form is grouped and checked while it is typed, with the same result as the server's check.

import type { Page } from 'playwright-core';
import { parseCardInput, type CardField } from '../../../src/merchant/options/card-form/card-input';
import { ko } from '../../../src/merchant/options/card-form/texts.ko';
import { CARD } from '../../support/cards';
import { describeInChromium, useChromium } from '../../support/chromium';
import { useWorld } from '../../support/use-world';
import { openPage } from '../pages';

/** Valid and invalid input for each field. */
const WRITTEN = {
  card_number: ['4242.4242.4242.4242', '4242-4242 4242-4242', '4242', '4242x'],
  expiry: ['1230', '12.30', '12-30', '12/2030', '2030.12', '2030-12', '30-01', '13.30', '12.20', '12,30'],
  birth: ['880101', '19880101', '88-01-01', '1988.01.01', '19000229', '000229', '88-0101', '18880101'],
  pwd_2digit: ['12', '1'],
};

describeInChromium('typing into the card form', () => {
  const world = useWorld();
  const browser = useChromium();

  const openForm = async () => (await openPage(browser, `${world.url}/cards/new`)).page;
  const typed = (page: Page, field: string) => page.inputValue(`#${field}`);

  test('full-width digits become ASCII, and the caret stays where the member types', async () => {
    const page = await openForm();
    await page.locator('#card_number').pressSequentially('\uff14\uff12\uff14\uff12\uff0d\uff14');
    expect(await typed(page, 'card_number')).toBe('4242 4');
    await page.fill('#card_number', '5409 1357 2468 9012');
    await page.evaluate(`document.querySelector('#card_number').setSelectionRange(2, 2)`);
    await page.focus('#card_number');
    await page.keyboard.press('Delete');
    await page.keyboard.type('7');
    expect(await typed(page, 'card_number')).toBe('5479 1357 2468 9012');
    expect(await page.evaluate(`document.querySelector('#card_number').selectionStart`)).toBe(3);
  });

  test('an expiry gets its slash once it has a year, and can be deleted to the first digit', async () => {
    const page = await openForm();
    const ways = { '1': '1', '123': '12 / 3', '1/30': '1 / 30', '2030-12': '2030-12', '1230': '12 / 30' };
    for (const [keys, value] of Object.entries(ways)) {
      await page.fill('#expiry', '');
      await page.locator('#expiry').pressSequentially(keys);
      expect(await typed(page, 'expiry')).toBe(value);
    }
    await page.fill('#expiry', '');
    await page.locator('#expiry').pressSequentially('1230');
    for (let presses = 0; presses < 7; presses += 1) await page.keyboard.press('Backspace');
    expect(await typed(page, 'expiry')).toBe('');
    await page.keyboard.type('0129');
    expect(await typed(page, 'expiry')).toBe('01 / 29');
  });

  test('a problem is shown when the field is left, and hidden when it is corrected; Luhn is only a warning', async () => {
    const page = await openForm();
    await page.locator('#card_number').pressSequentially('5409 1357');
    expect(await page.isVisible('#card_number-error')).toBe(false);
    await page.focus('#expiry');
    expect(await page.textContent('#card_number-error')).toContain('16자리가 아니에요');
    await page.fill('#card_number', '9410 0000 0000 0000');
    expect(await page.isVisible('#card_number-error')).toBe(false);
    expect(await page.textContent('[data-brand]')).toBe('국내전용');
    expect(await page.isVisible('[data-luhn]')).toBe(true);
  });

  test('ten digits in place of a birth date offer to switch to a company card', async () => {
    const page = await openForm();
    await page.locator('#birth').pressSequentially('1234567891');
    await page.click('[data-switch=company]');
    expect(await page.isChecked('#holder-company')).toBe(true);
    expect(await typed(page, 'birth')).toBe('123-45-67891');
    expect(await page.isVisible('#birth-error')).toBe(false);
  });

  test('of a resident registration number only the date of birth stays, and the page says so', async () => {
    const page = await openForm();
    await page.locator('#birth').pressSequentially('880101-1234567');
    expect(await typed(page, 'birth')).toBe('880101');
    expect(await page.textContent('[data-resident]')).toContain('뒷자리는 입력하지 마세요');
    expect(await page.isVisible('[data-resident]')).toBe(true);
    expect(await page.isVisible('#birth-error')).toBe(false);
  });

  test('one box agrees to all, and shows whether all is agreed to', async () => {
    const page = await openForm();
    const consents = ['#agree_terms', '#agree_privacy'];
    const areTicked = () => Promise.all(consents.map((box) => page.isChecked(box)));
    await page.check('[data-all] input');
    expect(await areTicked()).toEqual([true, true]);
    await page.uncheck('#agree_terms');
    expect(await page.isChecked('[data-all] input')).toBe(false);
    await page.check('#agree_terms');
    expect(await page.isChecked('[data-all] input')).toBe(true);
    await page.uncheck('[data-all] input');
    expect(await areTicked()).toEqual([false, false]);
  });

  test('an error of one field does not move the input beside it', async () => {
    const page = await openForm();
    const topOf = async (field: string) => (await page.locator(`#${field}`).boundingBox())?.y;
    await page.fill('#expiry', '1');
    await page.locator('#expiry').blur();
    expect(await page.isVisible('#expiry-error')).toBe(true);
    expect(Math.abs(((await topOf('pwd_2digit')) ?? NaN) - ((await topOf('expiry')) ?? NaN))).toBeLessThan(2);
  });

  test('the page and the server check input in the same way, in every spelling', async () => {
    const page = await openForm();
    for (const [name, texts] of Object.entries(WRITTEN))
      for (const text of texts) {
        await page.fill(`#${name}`, text);
        await page.locator(`#${name}`).blur();
        const said = await page.textContent(`#${name}-error`);
        const input = parseCardInput({ ...CARD, [name]: text }, new Date());
        const problem = 'problems' in input ? input.problems[name as CardField] : undefined;
        expect([text, said]).toEqual([text, problem ? ko.problems[problem] : '']);
      }
    // Full-width characters become ASCII while they are typed; the server accepts only ASCII.
    await page.fill('#birth', '\uff11\uff19\uff18\uff18\uff0e\uff10\uff11\uff0e\uff10\uff11');
    expect(await typed(page, 'birth')).toBe('1988.01.01');
    const hints = `[...document.querySelectorAll('input[inputmode]')].map((input) => input.enterKeyHint)`;
    expect(await page.evaluate(hints)).toEqual(['next', 'next', 'next', 'done']);
  });
});
