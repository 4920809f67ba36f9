// A shop requires a challenge during a card testing attack: one file is replaced by the example of docs/03-guides/8-card-form.md,
// and the statements of that page are run. The test plays the shop's challenge page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemberBrowser } from '../../../test/support/browsers';
import { FILL_IN_MS } from '../../../test/support/processes';
import { ISSUE_KEY } from '../../../test/support/sandbox-controls';
import { copyWithExample, ROOT, type ShopCopy } from '../../../test/support/shop-copy';
import { useSurroundings } from '../../../test/support/use-surroundings';
import { codeBlocksOf } from '../repository/pages/code-blocks';

const PAGE = 'docs/03-guides/8-card-form.md';
const LINK = 'href="https://shop.example.com/card-check" target="_blank"';
const ASKS = '아래의 확인을 마친 다음';
const [passed = '', begin = '', end = ''] = codeBlocksOf(PAGE, readFileSync(join(ROOT, PAGE), 'utf8'))
  .filter(({ language }) => language === 'sql')
  .map(({ code }) => code);
const [table = '', writeDown = ''] = passed.split('\n\n');

const around = useSurroundings();
let copy: ShopCopy;
let url: string;
beforeAll(async () => {
  copy = copyWithExample('card-form');
  ({ url } = await around.startMerchant({}, { root: copy.root }));
  await around.rows.query(table);
});
afterAll(() => copy?.remove());

test('K3: while a challenge is due, one check on the shop’s page allows one card', async () => {
  const { rows, sandbox } = around;
  const member = createMemberBrowser({ url, fillInMs: FILL_IN_MS });
  expect((await member.get('/cards/new')).html).not.toContain(LINK);
  const memberId = String(member.cookies.get('member')?.split('.')[0]);
  await rows.query(begin);

  const form = await member.get('/cards/new');
  expect([form.status, form.html.includes(LINK)]).toEqual([200, true]);
  const calls = await sandbox.requestsDuring(ISSUE_KEY, async () => {
    const { status, html } = await member.register();
    expect([status, html.includes(LINK), html.includes(ASKS)]).toEqual([400, true, true]);
    // The check of another member and an old check do not count.
    await rows.query(writeDown);
    await rows.query(`insert into shop_card_checks values ('${memberId}', now() - interval '11 minutes')`);
    expect((await member.register()).status).toBe(400);
  });
  expect(calls).toBe(0);

  await rows.query(writeDown.replaceAll('member-7', memberId));
  expect((await member.get('/cards/new')).html).not.toContain(LINK);
  const { status, location } = await member.register();
  expect([status, location]).toEqual([303, '/cards']);
  expect((await member.register()).status).toBe(400);
  expect(await member.cards()).toHaveLength(1);

  await rows.query(end);
  expect((await member.register()).status).toBe(303);
});
