// docs/06-runbook.md has a heading for every kind of discrepancy and every status. code-blocks.test.ts checks its requests and
// commands.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BillingKeyStatus,
  ChargeStatus,
  IssuanceStatus,
  NotificationOutcome,
  RefundStatus,
} from '../../../src/generated/prisma/client';
import { discrepancyKinds } from '../../../src/merchant/core/discrepancies/kinds';
import { API } from '../../../src/merchant/features';

const ROOT = join(__dirname, '..', '..', '..');
const page = readFileSync(join(ROOT, 'docs', '06-runbook.md'), 'utf8');
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
])('%s: every status has its heading or is listed as needing no person', (title, statuses) => {
  const headings = (chapter(title).match(/^### .*$/gm) ?? []).flatMap(namesIn);
  const [final = ''] = chapter(title).match(/^Needs nobody: .*$/m) ?? [];
  expect([...headings, ...namesIn(final)].sort()).toEqual(Object.keys(statuses).sort());
});

test('every case that needs a person has a heading', () => {
  for (const title of ['Charge', 'Refund', 'Issuance'])
    for (const status of ['needs_review', 'unknown']) expect(page).toContain(`### ${title} \`${status}\``);
});

test('every named route exists', () => {
  const named = [...page.matchAll(/`(GET|POST) (\/[^`?]+)`/g)];
  expect(named.length).toBeGreaterThan(4);
  const routes = API.routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(
    named.map(([, method, path]) => `${method} ${path}`).filter((each) => !routes.includes(each)),
  ).toEqual([]);
});
