// The generated blocks are current. If this fails, run `npm run docs`.

import { logCalls, sources } from '../../scripts/docs/log-events';
import { generatedPages, unusedBlocks } from '../../scripts/docs/pages';
import { FEATURES } from '../../src/merchant/features';
import { createMetrics } from '../../src/merchant/platform/metrics';

test('every generated block of the pages is current', () => {
  const pages = generatedPages();
  expect(pages.length).toBeGreaterThan(4);
  const stale = pages.filter(({ written, current }) => written !== current).map(({ page }) => page);
  expect(stale).toEqual([]);
});

test('every generated block is on a page', () => {
  expect(unusedBlocks()).toEqual([]);
});

// The generated table of events is read from the calls of the logger.
test('every log line except those of requests has an event', () => {
  const pattern = /\blogger(?:\.(?:info|warn|error|fatal)|\[[^\]]+\])\(/g;
  const calls = sources().flatMap(({ text }) => text.match(pattern) ?? []);
  expect(logCalls()).toHaveLength(calls.length);
  for (const { path, body } of logCalls()) expect([path, /\bevent\b/.test(body)]).toEqual([path, true]);
});

// The generated table of counters is read from those that are registered.
test('every counter that is defined is registered', () => {
  const defined = sources().flatMap(({ text }) =>
    [...text.matchAll(/'(merchant_\w+_total)'/g)].map(([, name]) => name),
  );
  const registered = createMetrics(FEATURES)
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  expect(registered.sort()).toEqual(defined.sort());
});
