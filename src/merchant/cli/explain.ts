// `npm run explain -- <svc_uid>`: what was notified and found, what is stored, and how a sync would judge it now.

import type { Context } from '../context';
import { readConfig } from '../environment';
import { findOrder } from '../orders/order-store';
import { isSvcUid } from '../payment-service/identifiers';
import { gatherEvidence } from '../payments/gather-evidence';
import { judgePayment } from '../payments/judge-payment';
import { readSnapshot } from '../payments/snapshot-store';
import { runCommand, UsageError, type Command } from './command';
import { findHistory } from '../operator/payment-history-store';
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
  const merchantUid =
    history.payment?.merchantUid ??
    last?.merchantUid ??
    (await context.service.findPayment(svcUid))?.merchantUid ??
    null;
  if (merchantUid === null) return { svcUid, merchantUid, history, order: null, record: null, verdict: null };
  const claim = { svcUid, merchantUid, generation: last?.generation };
  const evidence = await gatherEvidence(context, claim, await readSnapshot(context, claim));
  return {
    svcUid,
    merchantUid,
    history,
    order: await findOrder(context, merchantUid),
    record: evidence.record,
    // As `syncPayment` would judge it, with an answer that is confirmed.
    verdict: judgePayment({ ...evidence, confirmed: true }),
  };
}

void runCommand(command);
