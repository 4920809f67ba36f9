// Pages without a database: every error that a page can meet has its own page in both languages.

import { EtaError } from 'eta';
import express from 'express';
import request, { type Response, type Test } from 'supertest';
import { createApp } from '../../../../src/merchant/app';
import { FEATURES } from '../../../../src/merchant/features';
import { ServiceError } from '../../../../src/merchant/payment-service/records/service-error';
import { createContext } from '../../../../src/merchant/platform/context';
import { HttpError, type ErrorDefinition } from '../../../../src/merchant/platform/errors';
import { lastErrors, pageErrors } from '../../../../src/merchant/platform/http/error-response';
import { collectErrorTexts } from '../../../../src/merchant/platform/http/feature-type';
import { en } from '../../../../src/merchant/platform/http/texts.en';
import { ko } from '../../../../src/merchant/platform/http/texts.ko';
import { createViews } from '../../../../src/merchant/platform/http/views';
import { createReadiness } from '../../../../src/merchant/platform/readiness';
import { createManualClock } from '../../../support/clock';
import { testConfig } from '../../../support/config';
import { createRecordedLog } from '../../../support/log';

const log = createRecordedLog();
function startApp(environment: Record<string, string> = {}) {
  const config = testConfig(environment);
  const context = createContext({
    config,
    clock: createManualClock(),
    logger: log.logger,
    features: FEATURES,
  });
  return { context, app: createApp(context, createReadiness(context)) };
}
const { context, app } = startApp();
const CARD_NUMBER = '4242-4242-4242-4242';

/** A member with the cookie of the list of cards, although the page itself cannot be shown. */
let cookie = '';
beforeAll(async () => {
  const [first = ''] = (await request(app).get('/cards')).get('Set-Cookie') ?? [];
  cookie = first.split(';', 1)[0] ?? '';
});

const get = (path: string) => request(app).get(path);
const post = (type: string, body: string) =>
  request(app).post('/cards/card_1/remove').set('content-type', type).set('cookie', cookie).send(body);
const FORM = 'application/x-www-form-urlencoded';

/** The errors that a request causes without a database; the others are thrown. */
const REACHED_BY: Record<string, () => Test> = {
  foreign_host: () => get('/cards').set('host', 'evil.example'),
  return_url_refused: () => get('/cards?return_url=https://evil.example/'),
  cross_site: () => post(FORM, 'a=1').set('sec-fetch-site', 'cross-site'),
  forged_form: () => post(FORM, `card_number=${CARD_NUMBER}`),
  method_not_allowed: () => request(app).delete('/cards'),
  precondition_failed: () => get('/static/base.css').set('if-match', '"another"'),
  parameters_too_many: () => post(FORM, 'a=1&'.repeat(40)),
  unsupported_type: () => post('text/plain', CARD_NUMBER),
  not_found: () => get('/nothing'),
  malformed_path: () => get('/cards/%ff/remove'),
  invalid_json: () => post('application/json', `{"card_number":"${CARD_NUMBER}"`),
  entity_too_large: () => post(FORM, `card_number=${'4'.repeat(20_000)}`),
  encoding_unsupported: () => post(FORM, 'a=1').set('content-encoding', 'gzip'),
  charset_unsupported: () => post(`${FORM}; charset=euc-kr`, 'a=1'),
  database_unavailable: () => get('/cards').set('cookie', cookie),
};
const ERRORS = FEATURES.flatMap(({ errors = {} }) => Object.values(errors));
const WITH_PAGE = ERRORS.filter(({ page }) => page !== undefined);
const CODES = WITH_PAGE.map(({ code }) => code);
const HAS_FORM = FEATURES.some(({ cardEntry }) => cardEntry !== undefined);
const LANGUAGES = { ko, en };
const ERROR_TEXTS = collectErrorTexts(FEATURES);

function expectPage(
  answer: Response,
  { code, status, page: leads }: ErrorDefinition,
  lang: keyof typeof LANGUAGES,
): void {
  const { title, text, next } = textOf(code, lang);
  expect([answer.status, answer.type]).toEqual([status, 'text/html']);
  const page = unescaped(answer.text);
  for (const part of [`<h1>${title}</h1>`, text, next]) expect(page).toContain(part);
  expect(page.includes(LANGUAGES[lang].backToForm)).toBe(leads?.toForm === true && HAS_FORM);
  // A person who asks for help quotes it.
  expect(page).toContain(`<code data-copy>${answer.get('x-request-id')}</code>`);
  expect(page).toContain(`<title>${LANGUAGES[lang].layout.errorPrefix}${title}`);
  expect(page + log.text()).not.toContain(CARD_NUMBER);
}

function textOf(code: string, lang: keyof typeof LANGUAGES) {
  const text = ERROR_TEXTS[lang].errors[code];
  if (!text) throw new Error(`no page for ${code} in ${lang}`);
  return text;
}

/** The last handler of the pages behind a route that throws. */
function throwing(error: unknown, { production }: { production: boolean } = context.config) {
  const pages = express();
  pages.use((each, response) => {
    each.id = 'the-id';
    each.source = { peer: null, trusted: false, forwardedFor: [], client: null };
    response.set('x-request-id', each.id).locals['log'] = {};
    throw error;
  });
  pages.use(
    pageErrors(
      { ...context, config: { ...context.config, production } },
      createViews(context, FEATURES),
      ERROR_TEXTS,
    ),
  );
  return request(pages).get('/');
}

test.each(['ko', 'en'] as const)(
  'the features have a page for each of these errors and no others, in %s',
  (lang) => {
    expect(Object.keys(ERROR_TEXTS[lang].errors).sort()).toEqual([...CODES].sort());
    expect(CODES).toEqual(expect.arrayContaining(Object.keys(REACHED_BY)));
  },
);

test.each(WITH_PAGE)('$code has its page, in both languages', async (error) => {
  const { code } = error;
  for (const lang of ['ko', 'en'] as const) {
    const asked = REACHED_BY[code]?.() ?? throwing(new HttpError(error));
    expectPage(await asked.set('accept-language', lang), error, lang);
    if (REACHED_BY[code]) expect(log.lines().at(-1)).toMatchObject({ outcome: code });
  }
});

test('an error in a template names file and line in development, and nothing in production', async () => {
  const error = new EtaError('page.eta:7 a value is undefined');
  expect(await throwing(error)).toMatchObject({ status: 500, text: error.message });
  const answer = await throwing(error, { production: true });
  expect([answer.status, answer.type, answer.text]).toEqual([
    500,
    'text/html',
    expect.not.stringContaining('page.eta'),
  ]);
});

test.each<[string, () => Test, object]>([
  [
    'Host',
    () => get('/cards').set('host', `evil.example:${'9'.repeat(300)}`),
    { reason: 'foreign_host', header: 'host', expected: 'localhost or an IP address' },
  ],
  [
    'Origin',
    () => post(FORM, 'a=1').set('host', 'localhost').set('origin', 'https://evil.example'),
    { reason: 'cross_site', header: 'origin', came: 'https://evil.example', expected: 'localhost' },
  ],
  [
    'Sec-Fetch-Site',
    () => post(FORM, 'a=1').set('sec-fetch-site', 'cross-site'),
    { reason: 'cross_site', header: 'sec-fetch-site', came: 'cross-site', expected: 'same-origin' },
  ],
])('a refused %s is logged with what came and what was expected', async (_name, asked, logged) => {
  await asked();
  const [line] = log.events('page_refused').slice(-1);
  expect(line).toMatchObject(logged);
  expect(String(line?.['came']).length).toBeLessThanOrEqual(200);
});

test('what is logged of a refused Host has no card number and no escape sequence', async () => {
  await get('/cards').set('host', `${CARD_NUMBER}\x9b31m`);
  const [line] = log.events('page_refused').slice(-1);
  expect(line?.['came']).toMatch(/^[\x20-\x7e]+$/);
  expect(log.text()).not.toContain(CARD_NUMBER);
});

test('an error while an error is shown has a page of its own, without a template and without a stack', async () => {
  const broken = express();
  broken.get('/', () => {
    throw new Error('the-detail');
  });
  const header = () => {
    throw new Error('the-template-is-gone');
  };
  const views = createViews(context, [{ name: 'shop', header }]);
  broken.use(pageErrors(context, views, ERROR_TEXTS), lastErrors(context));
  const { status, type, text } = await request(broken).get('/');
  expect([status, type]).toEqual([500, 'text/html']);
  expect(text).toContain('<h1>');
  expect(text).not.toMatch(/the-|Error|\bat \S+:/);
});

const ANSWERED = { kind: 'bad_answer', method: 'GET', path: '/x', detail: 'the-detail' } as const;
test.each([
  [new Error('the-detail'), 'internal_error'],
  [new ServiceError(ANSWERED), 'service_unavailable'],
] as const)('an unexpected error is shown without its message: %s is %s', async (error, code) => {
  const { text } = await throwing(error).set('accept-language', 'en');
  expect(unescaped(text)).toContain(`<h1>${textOf(code, 'en').title}</h1>`);
  expect(text).not.toContain('the-detail');
});

const unescaped = (html: string) =>
  html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
