// `npm run explain -- <svc_uid>`: what came, what was found, what is stored, and what a look would say now.

import { systemClock } from '../clock';
import { createLogger } from '../logger';
import { isSvcUid } from '../payment-service/identifiers';
import type { PaymentRecord } from '../payment-service/records';
import { judgePayment, type Verdict } from '../payments/judge-payment';
import { createPaymentStore } from '../payments/payment-store';
import { runCommand, UsageFault, type Command } from './command';
import { createExplainStore } from './explain-store';
import { explanationJson, explanationText, type Explanation } from './explain-text';
import { openMerchant, type OpenMerchant } from './open-merchant';
import { readConfig } from './read-settings';

const HELP = `npm run explain -- <svc_uid> [--json]

Tells the story of one payment: notifications, looks, discrepancies, what is stored, what the service says now, and how
that would be judged. Writes nothing.

  --json  the same as JSON on standard output
  --help  this text

Exit code: 0 stored as the service has it; 1 not; 2 wrong arguments or settings; 3 the service or the database does not
answer.
`;

const explain: Command = {
  help: HELP,
  options: {},
  async run({ positionals }) {
    const [svcUid, ...more] = positionals;
    if (!isSvcUid(svcUid) || more.length > 0) throw new UsageFault('Name one payment by its svc_uid.');
    const merchant = openMerchant({
      config: readConfig(),
      clock: systemClock,
      logger: createLogger('silent'),
    });
    try {
      const explanation = await findOut(merchant, svcUid);
      return {
        exitCode: explanation.verdict?.outcome === 'unchanged' ? 0 : 1,
        text: explanationText(explanation),
        json: explanationJson(explanation),
      };
    } finally {
      await merchant.close();
    }
  },
};

async function findOut({ database, service }: OpenMerchant, svcUid: string): Promise<Explanation> {
  const store = createExplainStore(database);
  const history = await store.findHistory(svcUid);
  const last = history.notifications.at(-1);
  const claimed = history.payment?.merchantUid ?? last?.merchantUid ?? null;
  const newer = last?.generation === 'newer' && claimed !== null;
  const record = newer ? await service.findNewerPayment(claimed) : await service.findPayment(svcUid);
  const merchantUid = claimed ?? record?.merchantUid ?? null;
  return {
    svcUid,
    merchantUid,
    history,
    order: merchantUid === null ? null : await store.findOrder(merchantUid),
    record,
    verdict: merchantUid === null ? null : await judge(database, { svcUid, merchantUid }, record),
  };
}

/** As `syncPayment` would judge it, and without writing. */
async function judge(
  database: OpenMerchant['database'],
  claim: { svcUid: string; merchantUid: string },
  record: PaymentRecord | null,
): Promise<Verdict | null> {
  const payments = createPaymentStore(database);
  const [snapshot] = await payments.readSnapshots([claim]);
  if (!snapshot) return null;
  const keyOwner = record?.customerUid ? await payments.findKeyOwner(record.customerUid) : null;
  return judgePayment({ claim, snapshot, record, keyOwner, confirmed: true, fromTestButton: false });
}

void runCommand(explain);
