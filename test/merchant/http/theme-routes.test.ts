// A shop's own name, colour and logo on its pages, without a style in a page, a request to elsewhere or a weaker policy.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { createApp } from '../../../src/merchant/app';
import { createContext } from '../../../src/merchant/context';
import { createReadiness } from '../../../src/merchant/readiness';
import { themeCss } from '../../../src/merchant/theme';
import { createManualClock } from '../../support/clock';
import { testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const BASE_CSS = readFileSync(join(__dirname, '../../../views/shared/static/base.css'), 'utf8');

function appOf(environment: Record<string, string>) {
  const { logger } = createRecordedLog();
  const context = createContext({ config: testConfig(environment), clock: createManualClock(), logger });
  return createApp(context, createReadiness(context));
}
const plain = appOf({});
const own = appOf({ SHOP_NAME: 'Tea <b>House', SHOP_COLOR: '#0b6b4f', SHOP_LOGO: 'icon.svg' });

test('without a colour the style sheet is the file as it stands', async () => {
  expect((await request(plain).get('/static/base.css')).text).toBe(BASE_CSS);
});

test('with a colour the style sheet is the file and the colours of the shop, and whoever keeps it asks whether it has changed', async () => {
  const { text, type, headers } = await request(own).get('/static/base.css');
  expect([text, type]).toEqual([`${BASE_CSS}\n${themeCss('#0b6b4f')}`, 'text/css']);
  expect(headers['cache-control']).toBe('public, max-age=0');
  const again = await request(own).get('/static/base.css').set('if-none-match', String(headers['etag']));
  expect([again.status, again.text]).toEqual([304, '']);
});

test('name and logo stand on the pages as text and as a file of ours, and nowhere where they are not set', async () => {
  const { text } = await request(own).get('/terms?lang=en');
  expect(text).toContain('<title>Terms of use - Tea &lt;b&gt;House</title>');
  expect(text).toMatch(
    /<a class="brand"[^>]*><img class="logo" src="\/static\/icon.svg" alt="">Tea &lt;b&gt;House<\/a>/,
  );
  expect(text).not.toMatch(/style=|<style/);
  const asItComes = (await request(plain).get('/terms?lang=en')).text;
  expect(asItComes).toContain('<title>Terms of use</title>');
  expect(asItComes).toMatch(/<a class="brand"[^>]*>Payment methods<\/a>/);
});
