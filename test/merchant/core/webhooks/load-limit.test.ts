// An overloaded process stores notifications without checking them, and refuses what is too much.

import { once } from 'node:events';
import express from 'express';
import supertest from 'supertest';
import { createLoadLimit } from '../../../../src/merchant/core/webhooks/webhook-routes';

/** Each request stays in progress until `answerAll`. */
async function startLimited() {
  const { limitLoad, canCheckNow } = createLoadLimit({ checkedAtOnce: 2, inProgress: 3 });
  const waiting: (() => void)[] = [];
  // Express' own error handler would print the error.
  const app = express()
    .set('env', 'test')
    .use(limitLoad, (_request, response) => {
      const isChecked = canCheckNow();
      waiting.push(() => response.json({ isChecked }));
    });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const get = () => supertest(server).get('/').then();
  /** Resolves when the request is in progress. */
  const begin = async () => {
    const answer = get();
    await once(server, 'request');
    return { answer };
  };
  const answerAll = () => waiting.splice(0).forEach((answer) => answer());
  return { begin, get, answerAll, close: () => server.close() };
}

test('above the first limit a notification is only stored, at the second it goes to the error handler, and both end with the load', async () => {
  const { begin, get, answerAll, close } = await startLimited();
  const begun = [await begin(), await begin(), await begin()];
  expect((await get()).status).toBe(500);
  answerAll();
  const answers = await Promise.all(begun.map(({ answer }) => answer));
  expect(answers.map(({ body }) => body.isChecked)).toEqual([true, true, false]);
  const { answer } = await begin();
  answerAll();
  expect((await answer).body).toEqual({ isChecked: true });
  close();
});
