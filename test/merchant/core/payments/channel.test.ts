// In production only payments of a live channel count: for both generations, every value of the channel in the newer record, with and
// without a member, and every legacy record.

import { gatherEvidence } from '../../../../src/merchant/core/payments/gather-evidence';
import { judgePayment } from '../../../../src/merchant/core/payments/judge-payment';
import type { Snapshot } from '../../../../src/merchant/core/payments/payment-store';
import { ServiceError } from '../../../../src/merchant/payment-service/records/service-error';
import type { Context } from '../../../../src/merchant/platform/context';
import { paymentRecord, snapshot, snapshotWith } from '../../../support/builders';
import { createManualClock } from '../../../support/clock';

/** `isTest` of a record, by its channel. */
const NEWER = { LIVE: false, TEST: true, 'no channel': null };
/** `says nothing`: without the field, as the record of §2.4 is. */
const LEGACY = { live: false, 'says nothing': null, test: true };
type Newer = keyof typeof NEWER;
type Legacy = keyof typeof LEGACY | '404' | 'unreachable';
type Case = { newer?: Newer; legacy: Legacy; known?: Snapshot; production?: boolean };

const ofMember = snapshot({ memberId: 'member-1' });
const ofNobody = snapshot();
const unreachable = new ServiceError({ kind: 'unreachable', method: 'GET', path: '/payments/svc_1' });

/** The outcome of a payment that this generation has notified. */
async function judge(generation: 'legacy' | 'newer', of: Case) {
  const { newer = 'no channel', legacy, known = ofNobody, production = true } = of;
  const service = {
    findNewerPayment: () => Promise.resolve(paymentRecord({ isTest: NEWER[newer] })),
    findPayment: () => {
      if (legacy === 'unreachable') return Promise.reject(unreachable);
      return Promise.resolve(legacy === '404' ? null : paymentRecord({ isTest: LEGACY[legacy] }));
    },
  };
  const clock = createManualClock();
  const context = { config: { production }, clock, realClock: clock, service } as unknown as Context;
  const reported = { svcUid: 'svc_1', merchantUid: 'order-1', generation };
  return gatherEvidence(context, reported, known).then(
    (evidence) => judgePayment(evidence).outcome,
    (error: unknown) => error === unreachable && 'cannot be asked',
  );
}

describe('in production, told of by the newer generation', () => {
  /** The outcomes for an order without and with a member. */
  const judgeBoth = async (newer: Newer, legacy: Legacy) => [
    await judge('newer', { newer, legacy }),
    await judge('newer', { newer, legacy, known: ofMember }),
  ];
  const both = (outcome: string) => [outcome, outcome];

  test('a payment marked as a test does not pay', async () => {
    for (const legacy of ['live', 'says nothing', 'test', '404', 'unreachable'] as const)
      expect(await judgeBoth('TEST', legacy)).toEqual(both('order_mismatch'));
  });

  test('a test payment without a channel is fetched from the legacy generation and does not pay', async () => {
    expect(await judgeBoth('no channel', 'test')).toEqual(both('order_mismatch'));
    expect(await judgeBoth('no channel', '404')).toEqual(both('unknown_payment'));
    expect(await judgeBoth('no channel', 'unreachable')).toEqual(both('cannot be asked'));
  });

  test.each([true, false])('a live payment pays, whether or not (%j) it names its channel', async (says) => {
    for (const legacy of ['live', 'says nothing'] as const)
      expect(await judgeBoth(says ? 'LIVE' : 'no channel', legacy)).toEqual(both('recorded'));
  });

  test('a live payment of a member does not pay while the payer is not known', async () => {
    expect(await judgeBoth('LIVE', 'test')).toEqual(['recorded', 'order_mismatch']);
    expect(await judgeBoth('LIVE', '404')).toEqual(['recorded', 'queued']);
    expect(await judgeBoth('LIVE', 'unreachable')).toEqual(['recorded', 'cannot be asked']);
  });

  test('a stored payment is also checked, because it may have been stored without a check', async () => {
    const known = snapshotWith(paymentRecord(), { status: 'paid' });
    expect(await judge('newer', { known, legacy: '404' })).toBe('unknown_payment');
    expect(await judge('newer', { known, legacy: 'test' })).toBe('order_mismatch');
    expect(await judge('newer', { known, newer: 'TEST', legacy: 'live' })).toBe('order_mismatch');
  });

  test('a payment that is stored as a test payment stays one', async () => {
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
])('in production, notified by the legacy generation, a record that is: %s', async (legacy, outcome) => {
  for (const known of [ofNobody, ofMember]) expect(await judge('legacy', { legacy, known })).toBe(outcome);
});

test('outside production a newer record is enough with any channel', async () => {
  for (const newer of ['LIVE', 'TEST', 'no channel'] as const)
    expect(await judge('newer', { newer, legacy: '404', production: false })).toBe('recorded');
});
