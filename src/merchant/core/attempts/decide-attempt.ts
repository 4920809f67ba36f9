// A person decides the outcome of an attempt that polls could not find.

import type { Context } from '../../platform/context';
import type { AttemptKind } from './attempt-kind';
import type { PolledAttempt } from './attempt-store';
import { findStatusProblem, type Decision, type DecisionOutcome } from './decision';
import { bestEffort } from './send-once';

/** @throws ServiceError if the service could not be asked; nothing is then decided */
export async function decide<Attempt extends PolledAttempt, Outcome extends string>(
  context: Context,
  kind: AttemptKind<Attempt, Outcome>,
  id: string,
  { outcome, ...decision }: Decision & { outcome: NoInfer<Outcome> },
): Promise<DecisionOutcome> {
  const attempt = await kind.find(context, id);
  const problem = findStatusProblem(attempt, context.clock.now());
  if (!attempt || problem) return problem ?? { kind: 'not_found' };
  const checked = await kind.check(context, attempt, outcome);
  if ('contradiction' in checked) return { kind: 'contradicted', says: checked.contradiction };
  if (!(await checked.write(decision))) return { kind: 'already_settled' };
  context.logger.info({
    event: 'decision',
    decided: kind.name,
    id,
    ...kind.logFields(attempt),
    outcome,
    by: decision.by,
    ...decision.sent,
  });
  for (const { onDecision } of context.features)
    await bestEffort(context, () => Promise.resolve(onDecision?.(context, kind.logFields(attempt))));
  return { kind: 'settled' };
}
