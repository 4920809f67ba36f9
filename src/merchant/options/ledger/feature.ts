// The ledger, for bookkeeping: money movements by day as API, page and CSV, with fee and payout of settlement files.

import type * as rows from '../../../generated/prisma/client';
import type { Feature } from '../../platform/http/feature-type';
import type { Columns } from '../../platform/personal-data';
import { completePaymentsJob } from './complete-payments';
import { LEDGER_PAGES, LEDGER_PATH, ledgerLinks } from './ledger-pages';
import { ledgerRoutes } from './ledger-routes';
import { ledgerSettings } from './settings';
import { en } from './texts.en';
import { ko } from './texts.ko';

/** Personal data in the tables of this feature. */
const ledgerColumns = {
  settlements: {
    svcUid: 'stays',
    part: 'stays',
    fee: 'stays',
    paidOutOn: 'stays',
    importedAt: 'stays',
  } satisfies Columns<rows.Settlement>,
};

export const ledger: Feature = {
  name: 'ledger',
  command: 'ledger',
  needs: ['operator'],
  settings: ledgerSettings,
  api: {
    ledger: {
      description: 'Money movements for bookkeeping.',
      routes: ledgerRoutes,
    },
  },
  jobs: [completePaymentsJob],
  paymentLinks: ledgerLinks,
  operatorPages: {
    path: LEDGER_PATH,
    name: { ko: ko.title, en: en.title },
    group: 'money',
    routes: LEDGER_PAGES,
  },
  personalData: ledgerColumns,
};
