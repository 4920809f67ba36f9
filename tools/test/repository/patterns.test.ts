// No text makes a regular expression slow (row K9 of docs/13-faults.md): each pattern of the sources runs on 16 kB of text made of its
// own parts. The slowest costs eleven plain passes over the text; one that is not linear costs thousands.

import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import ts from 'typescript';
import { newOrderSchema } from '../../../src/merchant/core/orders/order-schema';
import { parseNotification } from '../../../src/merchant/core/webhooks/parse-notification';
import { isMerchantUid } from '../../../src/merchant/payment-service/identifiers';
import { cleanText } from '../../../src/merchant/payment-service/records/clean-text';
import { parseAddressList, plainAddress } from '../../../src/merchant/platform/address-list';
import { maskCardNumbers } from '../../../src/merchant/platform/http/mask-card-numbers';
import { parseReturnUrl } from '../../../src/merchant/platform/http/return-url';
import { readSource } from '../../../src/merchant/platform/http/source-address';
import { hostileTexts, MOST_PASSES, passesOf, slowTexts, UNITS } from '../hostile-texts';

const SOURCES = join(__dirname, '..', '..', '..', 'src');
type Pattern = { at: string; source: string; flags: string };

/** Patterns that get no long text from outside. All others must be linear. */
const BOUNDED: Record<string, string> = {
  // A field of a card has at most 32 characters, which is checked before; see the test below.
  '^ +| +$': 'merchant/options/card-form/card-input.ts',
  // Used on a URL in our own settings.
  '\\/+$': 'merchant/payment-service/transport/client.ts merchant/cli/check-service.ts',
};

test('K9 every regular expression reads 16 kB of hostile text at most three hundred times', () => {
  const patterns = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(merchant|sandbox)\/.*\.ts$/.test(file))
    .flatMap(patternsIn)
    .filter(({ at, source }) => !BOUNDED[source]?.split(' ').includes(at));
  expect(patterns.length).toBeGreaterThan(80);
  const common = UNITS.flatMap(hostileTexts);
  const slow = patterns.flatMap(({ at, source, flags }) => {
    const pattern = new RegExp(source, flags);
    const texts = [...common, ...literalsOf(source).flatMap(hostileTexts)];
    const passes = Math.max(...texts.map((text) => passesOf(() => text.replace(pattern, ''))));
    return passes < MOST_PASSES ? [] : [`${at} /${source}/ ${passes.toFixed(0)} passes`];
  });
  expect(slow).toEqual([]);
});

const PROXIES = parseAddressList(['10.0.0.1']).list;
const RETURNS = { returnOrigins: ['https://shop.example.com'] };

test.each<[string, (text: string) => unknown]>([
  ['a notification', (text) => parseNotification({ svc_uid: text, merchant_uid: text, status: text })],
  ['a merchant_uid', isMerchantUid],
  ['an address', plainAddress],
  ['X-Forwarded-For', (text) => readSource(forwarded(text), PROXIES)],
  ['a return URL', (text) => parseReturnUrl(RETURNS, text)],
  [
    'an order',
    (text) =>
      newOrderSchema.safeParse({ merchant_uid: text, name: text, amount: text, buyer: { email: text } }),
  ],
  ['a text that may hold a card number', maskCardNumbers],
  ['a message of the service', (text) => cleanText(text, 200)],
])('K9 %s of 16 kB is checked in at most three hundred passes', (_, judge) => {
  expect(slowTexts(judge)).toEqual([]);
});

const forwarded = (line: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: { 'x-forwarded-for': line },
    httpVersion: '1.1',
  }) as unknown as IncomingMessage;

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const patterns: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      patterns.push({ at: file, source: pattern, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}

/** The characters that a pattern contains. */
const literalsOf = (source: string) =>
  [...new Set(source.match(/[A-Za-z0-9]{2,}|[^\\\s]/g) ?? [])].slice(0, 10);
