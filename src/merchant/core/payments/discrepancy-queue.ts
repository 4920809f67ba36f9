// Open discrepancies on the operators' action queue: a section for each kind, so that no flood of one hides another.

import type { ActionQueue } from '../../platform/context';
import { discrepancyKinds, isAboutMoney } from './discrepancy-kinds';
import { discrepancyList } from './discrepancy-list';
import { countOpenDiscrepancies } from './discrepancy-store';

export const discrepancyQueue: ActionQueue = {
  kind: 'discrepancies',
  subject: 'discrepancy',
  async findWaiting(context, limit) {
    const [[{ merchant_discrepancies_open: counts }], ...sections] = await Promise.all([
      countOpenDiscrepancies(context),
      ...discrepancyKinds.map(async (kind) => ({
        kind,
        page: await discrepancyList.read(context, { open: true, kind, limit }),
      })),
    ]);
    return sections.map(({ kind, page: { list, next } }) => ({
      items: list,
      hasMore: next !== null,
      filters: { open: 'true', kind },
      // The counts stop at 100,000 over all kinds: a kind may be listed and not counted.
      group: { name: kind, count: Math.max(counts[kind] ?? 0, list.length), isLast: !isAboutMoney(kind) },
    }));
  },
};
