// A blocked event loop is measured in real time.

import { createMetrics } from '../../../src/merchant/platform/metrics';
import { firingAlerts, parseMetrics } from '../../proof/alerts/scrapes';

test('G13 a blocked event loop is logged and counted', async () => {
  const metrics = createMetrics([]);
  metrics.observeProcess();
  // The loop is measured every ten milliseconds from the start, so before a later timer even on a busy machine.
  const measured = () => new Promise((resolve) => setTimeout(resolve, 50));
  await measured();
  const end = performance.now() + 2_200;
  while (performance.now() < end);
  await measured();
  const blocked = parseMetrics(await metrics.registry.metrics());
  expect(firingAlerts([{ at: 60, samples: blocked }])).toEqual(['MerchantEventLoopBlocked']);
  const calm = blocked.map((each) => ({ ...each, value: Math.min(each.value, 1.9) }));
  expect(firingAlerts([{ at: 60, samples: calm }])).toEqual([]);
});
