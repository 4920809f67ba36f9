// The operator pages under PATH_PREFIX: nothing leads out of it.

import { createMemberBrowser } from '../../support/browsers';
import { OPERATOR_PASSWORD } from '../../support/config';
import { crawl } from '../../support/crawl';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { PATH_PREFIX: '/pay' } });

test('an operator signs in, comes to the page that was asked for, and never leaves the prefix', async () => {
  const order = { merchant_uid: 'under-a-prefix', name: 'Tea', amount: 1000 };
  await world.api('POST', '/pay/api/orders', order);
  await world.sandbox.settings({ webhook_url: `${world.url}/pay/webhooks/payments` });
  await world.sandbox.pay({ merchant_uid: 'under-a-prefix', amount: 900 });
  const operator = createMemberBrowser(world);
  const stranger = await operator.get('/pay/operator/payments');
  expect([stranger.status, stranger.location]).toEqual([
    303,
    '/pay/operator/sign-in?to=%2Foperator%2Fpayments',
  ]);
  const fields = { by: 'kim', password: OPERATOR_PASSWORD, to: '/operator/payments' };
  const signedIn = await operator.post('/pay/operator/sign-in', fields);
  expect([signedIn.status, signedIn.location]).toEqual([303, '/pay/operator/payments']);
  expect(signedIn.headers.getSetCookie()).toEqual([expect.stringContaining('; Path=/pay;')]);
  const opened = await crawl(operator, '/pay', ['/pay/operator']);
  expect(opened).toEqual(expect.arrayContaining(['/pay/operator/orders', '/pay/static/operator.css']));
  expect(opened.filter((path) => path.includes('discrepancies/')).length).toBeGreaterThan(0);
});
