// Pages for operators, who resolve discrepancies.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { operatorRoutes } from './operator-routes';
import { operatorCounters } from './sign-in';
import { en } from './texts.en';
import { ko } from './texts.ko';

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
};

export const operator: Feature = {
  name: 'operator',
  pages: ({ context, views }) => operatorRoutes(context, views),
  personalData: operatorColumns,
  texts: { ko, en },
  counters: operatorCounters,
};
