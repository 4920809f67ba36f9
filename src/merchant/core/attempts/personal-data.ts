// What of a member stands in the tables of this feature.

import type * as rows from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';

export const attemptColumns = {
  service_pauses: { line: 'stays', until: 'stays' } satisfies Columns<rows.ServicePause>,
};
