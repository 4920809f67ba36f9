// `npm run explain -- <order number or svc_uid>`: notifications, discrepancies, stored rows, and the result of
// verifying the payment now.

import { isMerchantUid, isSvcUid } from '../payment-service/identifiers';
import type { Context } from '../platform/context';
import { runCommand, UsageError, type Command, type CommandResult } from './command';
import { explainOrder, explainPayment, type Explanation } from './explain-payment';
import { explanationJson, explanationText, orderExplanationJson, orderExplanationText } from './explain-text';
import type { Terminal } from './terminal';
import { withContext } from './with-context';

const HELP = `npm run explain -- <order number> [--json]
npm run explain -- <svc_uid> [--json]

Shows the history of one payment: notifications, attempts to check them,
discrepancies, refunds, what is stored, what the service shows now, and how that
would be verified. With the number of an order (merchant_uid) it shows the
order, its charges, and each of its payments. Writes nothing.

  --json  the same as JSON on standard output
  --help  this text

Exit code: 0 stored as the service shows it, or a person has decided about what
differs; 1 neither, or it is unknown; 2 wrong arguments or settings; 3 the
service or the database does not answer.
`;

export const command: Command = {
  help: HELP,
  options: {},
  async run({ positionals }, { terminal }) {
    const [id, ...more] = positionals;
    if (id === undefined)
      throw new UsageError('Missing the number of an order (merchant_uid), or an svc_uid.');
    if (!isMerchantUid(id) || more.length > 0)
      throw new UsageError('Name one order by its number (merchant_uid), or one payment by its svc_uid.');
    return withContext((context) => explain(context, id, terminal));
  },
};

/** An id that may be either is taken as an order id. */
async function explain(context: Context, id: string, terminal: Terminal): Promise<CommandResult> {
  const order = await explainOrder(context, id);
  if (order)
    return {
      exitCode: order.payments.every(needsNothing) ? 0 : 1,
      text: orderExplanationText(order, terminal),
      json: orderExplanationJson(order),
    };
  const payment = isSvcUid(id) ? await explainPayment(context, id) : null;
  if (!payment || !isKnown(payment))
    return {
      exitCode: 1,
      text: `${id} is unknown: no order and no payment has this id, neither here nor at the payment service.\n`,
      json: { id, known: false },
    };
  return {
    exitCode: needsNothing(payment) ? 0 : 1,
    text: explanationText(payment, terminal),
    json: explanationJson(payment),
  };
}

/** It is stored as the service shows it, or a person has decided about everything that differs. */
function needsNothing({ verdict, history }: Explanation): boolean {
  if (verdict === null) return false;
  if (verdict.outcome === 'unchanged') return true;
  const differs = 'discrepancies' in verdict ? verdict.discrepancies : [];
  const isDecided = ({ kind, actual }: (typeof differs)[number]) =>
    history.discrepancies.some(
      (each) => each.kind === kind && each.actual === actual && each.resolvedAt !== null,
    );
  return differs.length > 0 && differs.every(isDecided);
}

/** Whether anything has ever named the payment. */
function isKnown({ merchantUid, history }: Explanation): boolean {
  return merchantUid !== null || history.discrepancies.length > 0 || history.difference !== null;
}

if (require.main === module) void runCommand(command);
