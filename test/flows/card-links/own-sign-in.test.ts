// A shop that has replaced the sign-in by its own, without card links: the API says so, and no link is made.

import request from 'supertest';
import { createApp } from '../../../src/merchant/app';
import { createReadiness } from '../../../src/merchant/platform/readiness';
import { API_KEY } from '../../support/config';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();

test('with a sign-in that knows no card links the request is refused, and nothing is stored', async () => {
  const { context, rows } = running;
  const nobody = () => Promise.resolve(null);
  const shop = { currentMember: nobody, requireMember: nobody, signInByLink: undefined };
  const app = createApp(context, createReadiness(context), { shop });
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const answer = await request(app).post('/api/members/kim/card-link').set(headers).send('{}');
  expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'card_links_off' } }]);
  expect(await rows.query('select from card_links')).toEqual([]);
});
