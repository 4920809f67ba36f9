// In production nothing pays that does not show a live channel: for both generations, with whatever the newer record shows of
// the channel, whether or not the order names its member, and with whatever the legacy record says. A real client asks.

import type { ServerResponse } from 'node:http';
import { closeContext, createContext } from '../../../src/merchant/context';
import { ServiceError } from '../../../src/merchant/errors';
import { gatherEvidence } from '../../../src/merchant/payments/gather-evidence';
import { judgePayment } from '../../../src/merchant/payments/judge-payment';
import type { Snapshot } from '../../../src/merchant/payments/snapshot-store';
import { paymentRecord, snapshot, snapshotWith } from '../../support/builders';
import { createManualClock } from '../../support/clock';
import { testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';
import { sendEnvelope, startRecordingService, type RecordingService } from '../../support/recording-service';

type Shown = 'LIVE' | 'TEST' | 'STAGING' | 'no channel';
/** `says nothing`: without the field, as the record of §2.4 is. */
type Legacy = 'live' | 'says nothing' | 'test' | '404' | 'unreachable';

const ofMember = snapshot({ memberId: 'member-1' });
const ofNobody = snapshot();
let shows: { newer: Shown; legacy: Legacy };
let recording: RecordingService;
beforeAll(async () => {
  recording = await startRecordingService(({ path }, response) => {
    if (path === '/v2/signin/api-key') return sendPlain(response, { access_token: 'token' });
    if (path.startsWith('/v2')) return sendNewer(response, shows.newer);
    return sendLegacy(response, shows.legacy);
  });
});
afterAll(() => recording.close());

function sendPlain(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

function sendNewer(response: ServerResponse, channel: Shown): void {
  const named = channel === 'no channel' ? {} : { channel: { type: channel } };
  const paid = { id: 'svc_1', is_primary: true, status: 'PAID', amount: { total: 1000 }, currency: 'KRW' };
  sendPlain(response, { payment: { id: 'order-1', transactions: [{ ...paid, ...named }] } });
}

function sendLegacy(response: ServerResponse, legacy: Legacy): void {
  if (legacy === 'unreachable') return void response.destroy();
  if (legacy === '404')
    return void response.writeHead(404).end('{"code":-1,"message":"none","response":null}');
  const { svc_uid, merchant_uid, status, amount, currency } = paymentRecord().raw;
  const sandbox = legacy === 'says nothing' ? {} : { sandbox: legacy === 'test' };
  sendEnvelope(response, { svc_uid, merchant_uid, status, amount, currency, ...sandbox });
}

type Case = { newer?: Shown; legacy: Legacy; known?: Snapshot; production?: boolean };

/** What becomes of a payment that this generation has told of. */
async function judge(generation: 'legacy' | 'newer', of: Case) {
  const { newer = 'no channel', legacy, known = ofNobody, production = true } = of;
  shows = { newer, legacy };
  const { url } = recording;
  const names = { SERVICE_BASE_URL: url, SERVICE_V2_BASE_URL: url, SERVICE_NAME_PREFIX: 'svc' };
  const config = { ...testConfig(names), production };
  const context = createContext({ config, clock: createManualClock(), logger: createRecordedLog().logger });
  const claim = { svcUid: 'svc_1', merchantUid: 'order-1', generation };
  return gatherEvidence(context, claim, known)
    .then(
      (evidence) => judgePayment(evidence).outcome,
      (error: unknown) => error instanceof ServiceError && 'cannot be asked',
    )
    .finally(() => closeContext(context));
}

describe('in production, told of by the newer generation', () => {
  /** What becomes of it for an order of nobody, and for one that names its member. */
  const judgeBoth = async (newer: Shown, legacy: Legacy) => [
    await judge('newer', { newer, legacy }),
    await judge('newer', { newer, legacy, known: ofMember }),
  ];
  const both = (outcome: string) => [outcome, outcome];

  test('a test payment that says so does not pay', async () => {
    for (const legacy of ['live', 'says nothing', 'test', '404', 'unreachable'] as const)
      expect(await judgeBoth('TEST', legacy)).toEqual(both('order_mismatch'));
  });

  test('a test payment that shows no channel is looked up in the legacy generation, and does not pay', async () => {
    for (const shown of ['no channel', 'STAGING'] as const) {
      expect(await judgeBoth(shown, 'test')).toEqual(both('order_mismatch'));
      expect(await judgeBoth(shown, '404')).toEqual(both('unknown_payment'));
      expect(await judgeBoth(shown, 'unreachable')).toEqual(both('cannot be asked'));
    }
  });

  test.each([true, false])('a live payment pays, whether or not (%j) it says so', async (says) => {
    for (const legacy of ['live', 'says nothing'] as const)
      expect(await judgeBoth(says ? 'LIVE' : 'no channel', legacy)).toEqual(both('recorded'));
  });

  test('a live payment of a member is not paid while who paid is not known', async () => {
    expect(await judgeBoth('LIVE', 'test')).toEqual(['recorded', 'order_mismatch']);
    expect(await judgeBoth('LIVE', '404')).toEqual(['recorded', 'queued']);
    expect(await judgeBoth('LIVE', 'unreachable')).toEqual(['recorded', 'cannot be asked']);
  });

  test('a payment that is stored is looked at all the same: it may have been stored without a look', async () => {
    const known = snapshotWith(paymentRecord(), { status: 'paid' });
    expect(await judge('newer', { known, legacy: '404' })).toBe('unknown_payment');
    expect(await judge('newer', { known, legacy: 'test' })).toBe('order_mismatch');
    expect(await judge('newer', { known, newer: 'TEST', legacy: 'live' })).toBe('order_mismatch');
  });

  test('a payment that is stored as one of a test channel stays one', async () => {
    const record = paymentRecord();
    const known = snapshotWith({ ...record, raw: { ...record.raw, sandbox: true } }, { status: 'paid' });
    for (const generation of ['newer', 'legacy'] as const)
      expect(await judge(generation, { newer: 'LIVE', legacy: 'live', known })).toBe('order_mismatch');
  });
});

test.each<[legacy: Legacy, outcome: string]>([
  ['live', 'recorded'],
  ['says nothing', 'recorded'],
  ['test', 'order_mismatch'],
  ['404', 'unknown_payment'],
  ['unreachable', 'cannot be asked'],
])('in production, told of by the legacy generation, a record that is: %s', async (legacy, outcome) => {
  for (const known of [ofNobody, ofMember]) expect(await judge('legacy', { legacy, known })).toBe(outcome);
});

test('outside production a newer record is enough, whatever channel it shows', async () => {
  for (const newer of ['LIVE', 'TEST', 'no channel'] as const)
    expect(await judge('newer', { newer, legacy: '404', production: false })).toBe('recorded');
});
