// The shop's own test: it changes with src/merchant/shop/current-member.ts. Tests of other parts use the file as shipped.

import express, { type Express } from 'express';
import request from 'supertest';
import { FEATURES } from '../../src/merchant/features';
import { closeContext, createContext, type Context } from '../../src/merchant/platform/context';
import { currentMember, requireMember } from '../../src/merchant/shop/current-member';
import { createManualClock } from '../support/clock';
import { testConfig } from '../support/config';
import { createRecordedLog } from '../support/log';

let context: Context;
let app: Express;

beforeAll(() => {
  const { logger } = createRecordedLog();
  context = createContext({ config: testConfig(), clock: createManualClock(), logger, features: FEATURES });
  app = express();
  app.locals['context'] = context;
  app.get('/', async (incoming, response) => {
    const memberId = await requireMember(incoming, response);
    if (memberId !== null) response.json(memberId);
  });
  app.post('/', async (incoming, response) => {
    response.json(await currentMember(incoming));
  });
});
afterAll(() => closeContext(context));

test('a stranger who opens a page becomes a member or is sent to a sign-in', async () => {
  const { status, body, headers } = await request(app).get('/');
  if (status === 200) expect(body).toMatch(/^.{1,64}$/);
  else expect([status, headers['location']]).toEqual([303, expect.any(String)]);
});

test('a stranger who posts a form is no member, and does not become one', async () => {
  const { status, body, headers } = await request(app).post('/');
  expect([status, body, headers['set-cookie']]).toEqual([200, null, undefined]);
});
