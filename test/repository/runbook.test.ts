// docs/runbook.md has a place for every kind of discrepancy and every status. Each request and command that it shows is one
// that the server takes, and so are those of docs/going-live.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BillingKeyStatus,
  ChargeStatus,
  IssuanceStatus,
  NotificationOutcome,
  RefundStatus,
} from '../../src/generated/prisma/client';
import { DESCRIBED_ROUTES } from '../../src/merchant/app';
import { API_ERRORS } from '../../src/merchant/error-codes';
import { discrepancyKinds } from '../../src/merchant/payments/discrepancy-kinds';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8');
const chapter = (title: string) => page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

test('every kind of discrepancy has its heading, in the order of the code', () => {
  const headings = chapter('Discrepancies').match(/^### .*$/gm) ?? [];
  expect(headings.flatMap(namesIn)).toEqual(discrepancyKinds);
});

test.each([
  ['Charges', ChargeStatus],
  ['Refunds', RefundStatus],
  ['Issuances', IssuanceStatus],
  ['Billing keys', BillingKeyStatus],
  ['Notifications', NotificationOutcome],
])('%s: every status has its heading, or is said to need nobody', (title, statuses) => {
  const headings = (chapter(title).match(/^### .*$/gm) ?? []).flatMap(namesIn);
  const [settled = ''] = chapter(title).match(/^Needs nobody: .*$/m) ?? [];
  expect([...headings, ...namesIn(settled)].sort()).toEqual(Object.keys(statuses).sort());
});

test('what the code leaves to a person has a heading of its own', () => {
  for (const title of ['Charge', 'Refund', 'Issuance'])
    for (const status of ['needs_review', 'unknown']) expect(page).toContain(`### ${title} \`${status}\``);
});

const goingLive = readFileSync(join(ROOT, 'docs', 'going-live.md'), 'utf8');
const shell = [...`${page}\n${goingLive}`.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
  block.split('\n'),
);

test('every request is one that the server takes, with its query and its body', () => {
  const requests = shell.filter((line) => /^api (?!\()/.test(line)).map(readRequest);
  expect(requests.length).toBeGreaterThan(15);
  for (const { line, method, path, query, body } of requests) {
    const route = DESCRIBED_ROUTES.find((each) => each.method === method && patternOf(each.path).test(path));
    expect([line, route?.path]).toEqual([line, expect.any(String)]);
    if (query) expect([line, route?.query?.safeParse(query).error]).toEqual([line, undefined]);
    if (body) expect([line, route?.body?.schema.safeParse(body).error]).toEqual([line, undefined]);
  }
});

test('every route that is named exists', () => {
  const named = [...page.matchAll(/`(GET|POST) (\/[^`?]+)`/g)];
  expect(named.length).toBeGreaterThan(4);
  const routes = DESCRIBED_ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(
    named.map(([, method, path]) => `${method} ${path}`).filter((each) => !routes.includes(each)),
  ).toEqual([]);
});

test('every command is a script, and every error code is in the table', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const commands = [...page.matchAll(/npm (?:run )?(start|[a-z]+) --/g)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(5);
  for (const name of commands) expect(Object.keys(scripts)).toContain(name);
  const codes = [...page.matchAll(/409 `(\w+)`/g)].map(([, code]) => code);
  for (const code of codes)
    expect(API_ERRORS).toHaveProperty(String(code), expect.objectContaining({ status: 409 }));
});

/** `api '/path?query'` or `api /path -d '{…}'`. */
function readRequest(line: string) {
  const [, quoted, plain, json] = /^api (?:'([^']+)'|(\S+))(?: --globoff)?(?: -d '(.*)')?$/.exec(line) ?? [];
  const url = new URL(quoted ?? plain ?? 'http://none', 'http://merchant');
  const query = url.search === '' ? null : Object.fromEntries(url.searchParams);
  const method = json === undefined ? 'get' : 'post';
  return {
    line,
    method,
    path: url.pathname,
    query,
    body: json === undefined ? null : (JSON.parse(json) as object),
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
