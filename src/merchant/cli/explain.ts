// `npm run explain -- <svc_uid>`: what was notified and found, what is stored, and how a sync would judge it now.

import { findKeyOwner } from '../billing-keys/billing-key-store';
import type { Context } from '../context';
import { readConfig } from '../environment';
import { findOrder } from '../orders/order-store';
import { isSvcUid } from '../payment-service/identifiers';
import type { PaymentRecord } from '../payment-service/records/payment-record';
import type { Claim } from '../payments/claim';
import { fetchPayment } from '../payments/fetch-payment';
import { judgePayment, type Verdict } from '../payments/judge-payment';
import { readSnapshot } from '../payments/snapshot-store';
import { runCommand, UsageError, type Command } from './command';
import { findHistory } from './explain-store';
import { explanationJson, explanationText, type Explanation } from './explain-text';
import { withContext } from './with-context';

const HELP = `npm run explain -- <svc_uid> [--json]

Shows the history of one payment: notifications, attempts to check them, discrepancies, what is stored, what the service
says now, and how that would be judged. Writes nothing.

  --json  the same as JSON on standard output
  --help  this text

Exit code: 0 stored as the service has it; 1 not; 2 wrong arguments or settings; 3 the service or the database does not
answer.
`;

const command: Command = {
  help: HELP,
  options: {},
  async run({ positionals }) {
    const [svcUid, ...more] = positionals;
    if (!isSvcUid(svcUid) || more.length > 0) throw new UsageError('Name one payment by its svc_uid.');
    const explanation = await withContext(readConfig(), (context) => explain(context, svcUid));
    return {
      exitCode: explanation.verdict?.outcome === 'unchanged' ? 0 : 1,
      text: explanationText(explanation),
      json: explanationJson(explanation),
    };
  },
};

async function explain(context: Context, svcUid: string): Promise<Explanation> {
  const history = await findHistory(context, svcUid);
  const last = history.notifications.at(-1);
  const claimed = history.payment?.merchantUid ?? last?.merchantUid ?? null;
  const record =
    claimed === null
      ? await context.service.findPayment(svcUid)
      : await fetchPayment(context, { svcUid, merchantUid: claimed, generation: last?.generation });
  const merchantUid = claimed ?? record?.merchantUid ?? null;
  return {
    svcUid,
    merchantUid,
    history,
    order: merchantUid === null ? null : await findOrder(context, merchantUid),
    record,
    verdict: merchantUid === null ? null : await judge(context, { svcUid, merchantUid }, record),
  };
}

/** As `syncPayment` would judge it, with an answer that is confirmed. */
async function judge(context: Context, claim: Claim, record: PaymentRecord | null): Promise<Verdict> {
  const snapshot = await readSnapshot(context, claim);
  const keyOwner = record?.customerUid ? await findKeyOwner(context, record.customerUid) : null;
  return judgePayment({ claim, snapshot, record, keyOwner, confirmed: true });
}

void runCommand(command);
