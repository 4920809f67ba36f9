// `npm run tool -- settle charge <id> paid --note "…"`: a person resolves what the program cannot, as with the routes of the
// JSON API.

import type { z } from 'zod';
import { byField, isRowId, noteField } from '../core/attempts/attempt-schema';
import { decide } from '../core/attempts/decide-attempt';
import { decisionError, type Decision, type DecisionOutcome } from '../core/attempts/decision';
import { issuanceAttempt } from '../core/billing-keys/attempt';
import { issuanceDecisionSchema } from '../core/billing-keys/billing-key-schema';
import { chargeAttempt } from '../core/charges/attempt';
import { chargeErrors } from '../core/charges/charge-response';
import { chargeDecisionSchema } from '../core/charges/charge-schema';
import { resolveSchema } from '../core/discrepancies/routes';
import { decideDiscrepancy } from '../core/discrepancies/decide-discrepancy';
import { refundAttempt } from '../core/refunds/attempt';
import { refundDecisionSchema } from '../core/refunds/refund-schema';
import type { Context } from '../platform/context';
import { platformErrors } from '../platform/platform-errors';
import { problemText } from '../platform/problem-text';
import {
  byWhom,
  didYouMean,
  runCommand,
  UsageError,
  type Arguments,
  type Command,
  type CommandResult,
} from './command';
import { withContext } from './with-context';

const HELP = `npm run tool -- settle discrepancy <id> accepted|refunded|ignored --note "why"
    [--by name] [--json]
npm run tool -- settle charge <id> paid|not_executed --note "why"
    [--by name] [--json]
npm run tool -- settle refund <id> refunded|not_executed --note "why"
    [--by name] [--json]
npm run tool -- settle issuance <id> issued|not_issued --note "why"
    [--by name] [--json]

Records the decision of a person, with who, when and why. The payment service is
asked first, except for accepted and ignored: it must not contradict the
decision. No money moves. docs/06-runbook.md explains each decision. The
decision is also a line of the log ("event":"decision") on standard error.

  --note  why, one line of at most 500 characters
  --by    who decides; by default the user of this computer
  --json  the outcome as JSON on standard output
  --help  this text

Exit code: 0 recorded; 1 refused, and the text says why; 2 wrong arguments or
settings, or an unknown id; 3 the service or the database does not answer.
`;

/** As in the JSON API. */
const OUTCOMES = {
  discrepancy: resolveSchema.shape.resolution,
  charge: chargeDecisionSchema.shape.outcome,
  refund: refundDecisionSchema.shape.outcome,
  issuance: issuanceDecisionSchema.shape.outcome,
};
type Kind = keyof typeof OUTCOMES;
type Asked = { kind: Kind; id: string; outcome: string };

type Decide = (context: Context) => Promise<DecisionOutcome | { kind: 'scheduled' }>;

export const command: Command = {
  help: HELP,
  options: { note: { type: 'string' }, by: { type: 'string' } },
  async run({ values, positionals }, { stderr }) {
    const asked = readArguments(positionals);
    if (values['note'] === undefined) throw new UsageError('Missing --note "why".');
    const decision = {
      note: parseField('--note', noteField, values['note']),
      by: parseField('--by', byField, byWhom(values)),
    };
    const result = await withContext(toDecide(asked, decision), stderr);
    return toResult({ ...asked, by: decision.by }, result);
  },
};

/** @throws UsageError that names the first argument that is missing or unknown */
function readArguments([kind, id, outcome, ...more]: string[]): Asked {
  const kinds = Object.keys(OUTCOMES);
  if (kind === undefined) throw new UsageError(`Missing what is decided: ${kinds.join(', ')}.`);
  if (!isKind(kind)) throw new UsageError(`There is no kind "${kind}"${didYouMean(kind, kinds)}`);
  if (!id) throw new UsageError(`Missing the id of the ${kind}.`);
  const outcomes: string[] = OUTCOMES[kind].options;
  if (outcome === undefined) throw new UsageError(`Missing the outcome: ${outcomes.join(', ')}.`);
  if (!outcomes.includes(outcome))
    throw new UsageError(`A ${kind} cannot be "${outcome}"${didYouMean(outcome, outcomes)}`);
  if (more.length > 0) throw new UsageError(`There is no argument "${more[0]}". Is the note in quotes?`);
  return { kind, id, outcome };
}

const isKind = (text: string): text is Kind => Object.hasOwn(OUTCOMES, text);

/** @throws UsageError if the id cannot be one of this kind */
function toDecide({ kind, id, outcome }: Asked, decision: Decision): Decide {
  if (kind !== 'charge' && !isRowId(id)) throw new UsageError(`"${id}" is no id of a ${kind}.`);
  switch (kind) {
    case 'charge':
      return (context) =>
        decide(context, chargeAttempt, id, { outcome: OUTCOMES.charge.parse(outcome), ...decision });
    case 'discrepancy':
      return (context) =>
        decideDiscrepancy(context, {
          id: BigInt(id),
          resolution: OUTCOMES.discrepancy.parse(outcome),
          ...decision,
        });
    case 'refund':
      return (context) =>
        decide(context, refundAttempt, id, { outcome: OUTCOMES.refund.parse(outcome), ...decision });
    case 'issuance':
      return (context) =>
        decide(context, issuanceAttempt, id, {
          outcome: OUTCOMES.issuance.parse(outcome),
          ...decision,
        });
  }
}

function parseField(name: string, schema: z.ZodType<string>, value: Arguments['values'][string]): string {
  const parsed = schema.safeParse(value, { error: problemText });
  if (parsed.success) return parsed.data;
  throw new UsageError(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
}

function toResult(
  { kind, id, outcome, by }: Asked & Pick<Decision, 'by'>,
  result: Awaited<ReturnType<Decide>>,
): CommandResult {
  if (result.kind === 'settled')
    return {
      exitCode: 0,
      text: `Recorded: the ${kind} ${id} is ${outcome}, decided by ${by}.\n`,
      json: { kind, id, outcome, by, settled: true, reason: null },
    };
  if (result.kind === 'not_found') throw new UsageError(`There is no ${kind} ${id}.`);
  const reason =
    result.kind === 'scheduled'
      ? chargeErrors.order_scheduled.message
      : decisionError(result, platformErrors.not_found).message;
  return {
    exitCode: 1,
    text: `The ${kind} ${id} was not changed. ${reason}\n`,
    json: { kind, id, outcome, by, settled: false, reason },
  };
}

if (require.main === module) void runCommand(command);
