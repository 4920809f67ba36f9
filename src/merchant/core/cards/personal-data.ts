// Keyed hashes of a member id, an address and a card number, for at most a day: an erasure cannot tell whose they are.

import type * as rows from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';

export const cardColumns = {
  card_limits: { key: 'stays', points: 'stays', expire: 'stays' } satisfies Columns<rows.CardLimit>,
};
