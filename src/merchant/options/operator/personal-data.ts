// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';

export const operatorColumns = {
  notes: {
    id: 'stays',
    subject: 'stays',
    subjectId: 'stays',
    writtenBy: 'typed',
    text: 'typed',
    writtenAt: 'stays',
  } satisfies Columns<rows.Note>,
};
