// `npm run explain -- <order number or svc_uid>`: notifications, discrepancies, stored rows, and the result of
// verifying the payment now.

import { isMerchantUid, isSvcUid } from '../payment-service/identifiers';
import { LONGEST_SHOWN_ID } from '../payment-service/records/shown-record';
import type { Context } from '../platform/context';
import { runCommand, UsageError, type Command, type CommandResult } from './command';
import { explainOrder, explainPayment, unreadableFields, type Explanation } from './explain-payment';
import { explanationJson, explanationText, orderExplanationJson, orderExplanationText } from './explain-text';
import type { Terminal } from './terminal';
import { withContext } from './with-context';

export const command: Command = {
  name: 'npm run explain --',
  description: `Shows the history of one payment: notifications, attempts to check them,
discrepancies, refunds, what is stored, events and their deliveries, what the
service shows now, and how that would be verified. With the number of an order
(merchant_uid) it shows the order, its charges, and each of its payments. The
history is shown as well if the service cannot be asked. Writes nothing.`,
  exitCodes: `0 stored as the service shows it and no discrepancy is open; 1
otherwise, also if the record cannot be read or the id is unknown; 2 wrong
arguments or settings; 3 the service or the database does not answer.`,
  define: (program, run) =>
    program
      .argument('<id>', 'number of an order (merchant_uid), or svc_uid of a payment')
      .action((id: string) =>
        run(({ terminal }) => withContext((context) => explain(context, id, terminal))),
      ),
};

/** An id that may be either is taken as an order id. */
async function explain(context: Context, id: string, terminal: Terminal): Promise<CommandResult> {
  if (id.length > LONGEST_SHOWN_ID) throw new UsageError('No order and no payment has such a long id.');
  const order = await explainOrder(context, id);
  const isNamed = order !== null && (order.order !== null || order.payments.length > 0);
  if (order && (isNamed || !isSvcUid(id)))
    return {
      exitCode: exitCodeOf([order, ...order.payments], order.payments.every(needsNothing)),
      text: orderExplanationText(order, terminal),
      json: orderExplanationJson(order),
    };
  const payment = isSvcUid(id) ? await explainPayment(context, id) : null;
  if (!payment || (!isKnown(payment) && payment.problem === null))
    return {
      exitCode: 1,
      text: unknownText(id),
      json: { id, known: false },
    };
  return {
    exitCode: exitCodeOf([payment], needsNothing(payment)),
    text: explanationText(payment, terminal),
    json: explanationJson(payment),
  };
}

function unknownText(id: string): string {
  return `${id} is unknown: no order and no payment has this id, ${
    isMerchantUid(id)
      ? 'neither here nor at the payment service'
      : 'here; the payment service was not asked, because of the characters of the id'
  }.\n`;
}

/** A record that cannot be read is an answer. */
function exitCodeOf(asked: readonly Pick<Explanation, 'problem'>[], isInOrder: boolean): 0 | 1 | 3 {
  const isUnasked = asked.some(({ problem }) => problem !== null && unreadableFields(problem) === null);
  if (isUnasked) return 3;
  return isInOrder ? 0 : 1;
}

/**
 * It is stored as the service shows it, or a person has decided about everything that differs; and no discrepancy is
 * open.
 */
function needsNothing({ verdict, history }: Explanation): boolean {
  if (verdict === null || history.discrepancies.some(({ resolvedAt }) => resolvedAt === null)) return false;
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
  return merchantUid !== null || history.discrepancies.length > 0;
}

if (require.main === module) void runCommand(command);
