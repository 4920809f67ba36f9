// No text makes a regular expression slow (row K9 of docs/13-faults.md): each pattern of the sources runs on 16 kB of text made of its
// own parts. The slowest costs eleven plain passes over the text; one that is not linear costs thousands.

import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import ts from 'typescript';
import { parseCardInput } from '../../../src/merchant/core/billing-keys/card-input';
import { newOrderSchema } from '../../../src/merchant/core/orders/order-schema';
import { parseNotification } from '../../../src/merchant/core/webhooks/parse-notification';
import { isMerchantUid } from '../../../src/merchant/payment-service/identifiers';
import { cleanText } from '../../../src/merchant/payment-service/records/clean-text';
import { parseAddressList, plainAddress } from '../../../src/merchant/platform/address-list';
import { maskCardNumbers } from '../../../src/merchant/platform/http/mask-card-numbers';
import { parseReturnUrl } from '../../../src/merchant/platform/http/return-url';
import { readSource } from '../../../src/merchant/platform/http/source-address';

const SOURCES = join(__dirname, '..', '..', '..', 'src');
const BYTES = 16_000;
/** CPU time; the fastest of some runs, because of garbage collection. */
const RUNS = 25;
/**
 * Relative to plain passes over as many characters, so that the speed of the machine does not count. Far from both sides, so that its
 * load does not count either.
 */
const MOST_PASSES = 300;
const PASSES = 3;
const FIRST_PASSES = 200;
const NOW = new Date('2026-11-21T00:00:00Z');

type Pattern = { at: string; source: string; flags: string };

const PLAIN = 'x'.repeat(BYTES);
let fastestPlainMs: number;
beforeAll(() => {
  fastestPlainMs = plainPassMs(FIRST_PASSES);
});

/** Patterns that get no long text from outside. All others must be linear. */
const BOUNDED: Record<string, string> = {
  // A field of a card has at most 32 characters, which is checked before; see the test below.
  '^ +| +$': 'merchant/core/billing-keys/card-input.ts',
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
  ['a card number', (text) => parseCardInput({ card_number: text }, NOW)],
  ['an expiry', (text) => parseCardInput({ expiry: text }, NOW)],
  ['a birth date', (text) => parseCardInput({ birth: text }, NOW)],
  ['the digits of a password', (text) => parseCardInput({ pwd_2digit: text }, NOW)],
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
  const slow = UNITS.flatMap(hostileTexts).filter((text) => passesOf(() => judge(text)) >= MOST_PASSES);
  expect(slow.map((text) => text.slice(0, 20))).toEqual([]);
});

/**
 * How many plain passes it costs, in the fastest of some runs: one fast run is enough. The first run is compared with the fastest
 * plain pass ever seen, which is the strictest comparison, so most texts need no plain passes of their own.
 */
function passesOf(act: () => unknown): number {
  let fewest = cpuMs(act) / fastestPlainMs;
  for (let run = 1; run < RUNS && fewest >= MOST_PASSES; run += 1)
    fewest = Math.min(fewest, cpuMs(act) / plainPassMs(PASSES));
  return fewest;
}

/** The fastest of some plain passes. */
function plainPassMs(passes: number): number {
  return Math.min(...Array.from({ length: passes }, () => cpuMs(() => [...PLAIN])));
}

function cpuMs(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

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

const UNITS = [
  ...' -./:,;=&%"<>[]{(*+@aZ09_\\\n\t\u0000가９',
  '\r\n',
  '\u001b[',
  '%2e',
  '1-',
  '0.',
  'a.',
  ' /',
  '1 ',
];

/** The characters that a pattern contains. */
const literalsOf = (source: string) =>
  [...new Set(source.match(/[A-Za-z0-9]{2,}|[^\\\s]/g) ?? [])].slice(0, 10);

/** A repeated unit, with a part that does not match at the beginning, at the end, or nowhere. */
function hostileTexts(unit: string): string[] {
  const text = unit.repeat(Math.ceil(BYTES / unit.length)).slice(0, BYTES);
  return [`${text}\u0001`, `4${text}!`, `\u0001${text}`];
}
