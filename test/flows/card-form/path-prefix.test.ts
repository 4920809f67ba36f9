// The card form under PATH_PREFIX: nothing leads out of it.

import { createMemberBrowser } from '../../support/browsers';
import { CARD_FORM } from '../../support/cards';
import { crawl } from '../../support/crawl';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });

/** The value of an attribute on a page. */
const attribute = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('a member walks the card form', async () => {
  const member = createMemberBrowser(world);
  const form = await member.get('/pay/cards/new');
  expect(form.headers.getSetCookie()).toEqual([expect.stringMatching(/^member=.*; Path=\/pay; HttpOnly/)]);
  const field = (name: string) => attribute(form.html, new RegExp(`name="${name}" value="([^"]*)"`));
  const hidden = { customer_uid: field('customer_uid'), form_token: field('form_token') };
  const action = attribute(form.html, /<form[^>]*action="([^"]*)"/);
  const wrong = await member.post(action, { ...hidden, ...CARD_FORM, card_number: '1' });
  expect([action, wrong.status, attribute(wrong.html, /data-address="([^"]*)"/)]).toEqual([
    '/pay/cards',
    400,
    '/pay/cards/new',
  ]);
  const { status, location } = await member.post(action, { ...hidden, ...CARD_FORM });
  expect([status, location]).toEqual([303, '/pay/cards']);
  expect((await member.get(location ?? '')).html).toContain(
    `action="/pay/cards/${hidden.customer_uid}/remove"`,
  );
});

test('every link, file and form of the card form stays under the prefix, and is answered', async () => {
  const opened = await crawl(createMemberBrowser(world), '/pay', ['/pay/cards/new']);
  expect(opened).toEqual(expect.arrayContaining(['/pay/terms', '/pay/static/card-form.js']));
});
