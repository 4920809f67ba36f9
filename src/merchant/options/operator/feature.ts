// Pages for operators, who resolve discrepancies.

import type * as rows from '../../../generated/prisma/client';
import type { Context, FeatureCheck } from '../../platform/context';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { operatorCounters } from './accounts/sign-in';
import { countAccounts } from './accounts/store';
import { operatorRoutes } from './operator-routes';
import { refundRequestQueue } from './refunds/refund-requests';
import { operatorSettings } from './settings';
import { en, ko } from './texts';

/** Personal data in the tables of this feature. */
const operatorColumns = {
  notes: {
    id: 'stays',
    subject: 'stays',
    subjectId: 'stays',
    writtenBy: 'typed',
    text: 'typed',
    writtenAt: 'stays',
  } satisfies Columns<rows.Note>,
  // Operators are no members: their names stay with their decisions.
  operators: {
    id: 'stays',
    name: 'stays',
    role: 'stays',
    passwordHash: 'stays',
    mustChange: 'stays',
    totpSecret: 'stays',
    totpLastStep: 'stays',
    recoveryCodes: 'stays',
    disabledAt: 'stays',
    createdAt: 'stays',
  } satisfies Columns<rows.Operator>,
  operator_changes: {
    operatorId: 'stays',
    changedBy: 'stays',
    at: 'stays',
  } satisfies Columns<rows.OperatorChange>,
  operator_sessions: {
    tokenHash: 'stays',
    operatorId: 'stays',
    name: 'stays',
    openedWith: 'stays',
    createdAt: 'stays',
    lastUsedAt: 'stays',
  } satisfies Columns<rows.OperatorSession>,
  refund_requests: {
    id: 'stays',
    svcUid: 'stays',
    discrepancyId: 'stays',
    amount: 'stays',
    taxFree: 'stays',
    balance: 'stays',
    currency: 'stays',
    reason: 'typed',
    needsAccount: 'stays',
    requestedBy: 'typed',
    requesterId: 'stays',
    requestedAt: 'stays',
    decision: 'stays',
    decidedBy: 'typed',
    decidedAt: 'stays',
    refundId: 'stays',
  } satisfies Columns<rows.RefundRequest>,
  operator_actions: {
    id: 'stays',
    at: 'stays',
    by: 'stays',
    sourceAddress: 'stays',
    requestId: 'stays',
    action: 'stays',
    subject: 'stays',
    subjectId: 'stays',
    outcome: 'stays',
    detail: 'fields',
  } satisfies Columns<rows.OperatorAction>,
};

/** For `npm run doctor`. */
async function checkAccounts(context: Context): Promise<FeatureCheck> {
  const name = 'operators';
  const { accounts, withoutSecondFactor } = await countAccounts(context);
  if (accounts > 0) {
    const says = `${accounts} ${accounts === 1 ? 'account' : 'accounts'}, ${withoutSecondFactor} without second factor`;
    return { name, state: 'ok', says };
  }
  const { production } = context.config;
  return {
    name,
    state: production ? 'warning' : 'ok',
    says: production
      ? 'no account yet: OPERATOR_PASSWORD makes the first one, and nobody can refund'
      : 'no account yet: OPERATOR_PASSWORD signs in',
    ...(production && { fix: 'Make one: npm run tool -- operators add <name> --role admin' }),
  };
}

export const operator: Feature = {
  name: 'operator',
  settings: operatorSettings,
  command: 'operators',
  pages: ({ context, views }) => operatorRoutes(context, views),
  actionQueue: refundRequestQueue,
  personalData: operatorColumns,
  keptInside: ['/operator'],
  texts: { ko, en },
  phrases: () =>
    ko.operator.refund.reasons.map((reason, at) => ({
      ko: reason,
      en: en.operator.refund.reasons[at] ?? reason,
    })),
  counters: operatorCounters,
  check: checkAccounts,
};
