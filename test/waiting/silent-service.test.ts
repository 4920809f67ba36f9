// A call to the service ends after ten seconds. The sender of a notification gets its answer while the service is still silent (rows
// E14 and E15 of docs/13-faults.md).

import { expectQueuedThenRecorded } from '../flows/webhooks/setup';
import { useFreshWorld } from '../support/use-world';

const world = useFreshWorld();

test.each([
  ['E14 no answer', { kind: 'delay', delay_ms: 600_000 }],
  ['E15 an answer that drips', { kind: 'drip', delay_ms: 1_000 }],
])('%s is queued at the webhook within 12 s, and recorded later', (_, fault) =>
  expectQueuedThenRecorded(world, fault, 'no_answer'),
);
