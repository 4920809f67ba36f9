// The plans of the statements of one notification, in databases of different sizes.

import { receiveNotification } from '../../../src/merchant/core/webhooks/receive-notification';
import { systemClock } from '../../../src/merchant/platform/clock';
import { captureStatements, type CapturedStatement } from '../../proof/plans/captured-statements';
import { explainAll } from '../../proof/plans/plans';
import { withContext } from './jobs';

/** Receives one notification in this process, and returns its prepared statements. */
export async function captureHotStatements(
  environment: Record<string, string>,
  ids: { svcUid: string; merchantUid: string },
): Promise<CapturedStatement[]> {
  const captured = await withContext(environment, (context) =>
    captureStatements(() =>
      receiveNotification(context, {
        ...ids,
        generation: 'legacy',
        claimedStatus: 'paid',
        sourceAddress: '52.78.100.19',
        receivedAt: systemClock.now(),
        requestId: null,
      }),
    ),
  );
  return captured.filter(({ name }) => name !== null);
}

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
};

/** For each statement, how it reads tables: the names of indexes, or `all of <table>`. */
export async function readsOf(
  databaseUrl: string,
  statements: readonly CapturedStatement[],
): Promise<string[]> {
  const plans = await explainAll(databaseUrl, statements);
  return plans.map(({ root }) => [...new Set(scans(root as Node))].sort().join(', ') || 'no table');
}

function scans(node: Node): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': table, Plans = [] } = node;
  const below = Plans.flatMap(scans);
  if (index !== undefined) return [index, ...below];
  return type === 'Seq Scan' && table !== undefined ? [`all of ${table}`, ...below] : below;
}
