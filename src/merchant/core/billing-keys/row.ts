// The tables of billing keys, and of issuances: one attempt to turn a card into a billing key in each row.

import { z } from 'zod';
import {
  BillingKeyStatus,
  IssuanceStatus,
  type BillingKey,
  type BillingKeyIssuance,
} from '../../../generated/prisma/client';
import { TO_EMPTY, TO_NULL } from '../../platform/personal-data';
import { column, describeRow, hidden, text, time, type Lines } from '../../platform/row';
import { ATTEMPT_LINES } from '../attempts/row';
import { NO_DIGITS } from './issuance-store';

const noDigits = { erasedTo: `'${NO_DIGITS}'` } as const;
const lastFour = text.describe('The last four digits of the card that was sent.');

export const issuanceRow = describeRow({
  id: column('stays', text, '17', { detail: 'id' }),
  customerUid: column('stays', text, 'card_2f1c0a7be94d4f05b1c2d3e4f5a6b7c8', 'key'),
  formNonce: hidden('stays'),
  replacesKey: column('stays', z.boolean(), false),
  status: column('stays', z.enum(IssuanceStatus), 'declined', 'status'),
  cardLastFour: column(noDigits, lastFour, '4242', 'text'),
  termsVersion: hidden('stays'),
  privacyVersion: hidden('stays'),
  consentedAt: hidden('stays'),
  ...ATTEMPT_LINES,
} satisfies Lines<BillingKeyIssuance>);

const memberId = text.nullable().describe('Null once the member was erased.');
const removingSince = time.nullable().meta({
  description: 'While `removing`: when the removal was requested. It is retried until it is done.',
});

export const billingKeyRow = describeRow({
  customerUid: hidden('stays'),
  memberId: column(TO_EMPTY, memberId, 'member-7'),
  status: column('stays', z.enum(BillingKeyStatus), 'active'),
  cardName: column('stays', text.nullable(), '현대카드'),
  cardCode: column('stays', text.nullable(), '367'),
  cardNumber: column(TO_NULL, text.nullable().describe('Masked.'), '4242-42**-****-4242'),
  cardType: column('stays', text.nullable(), '0'),
  pgProvider: column('stays', text.nullable(), 'nice'),
  serviceUpdatedAt: hidden('stays'),
  removingSince: column('stays', removingSince, null),
  issuedBy: hidden('stays'),
  version: hidden('stays'),
  createdAt: column('stays', time, '2026-11-20T05:12:40.000Z'),
  updatedAt: column('stays', time, '2026-11-20T05:12:40.000Z'),
  // The API answers null for the empty text of an erased member.
} satisfies Lines<Omit<BillingKey, 'memberId'> & { memberId: string | null }>);
