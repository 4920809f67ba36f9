// The table of issuances: one attempt to turn a card into a billing key in each row.

import { z } from 'zod';
import { IssuanceStatus, type BillingKeyIssuance } from '../../../generated/prisma/client';
import { column, describeRow, hidden, text, type Lines } from '../../platform/row';
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
