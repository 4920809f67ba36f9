// The ledger, for bookkeeping: money movements by day as API, page and CSV, with fee and payout of settlement files.

import type { Feature } from '../../platform/http/feature-type';
import { completePaymentsJob } from './complete-payments';
import { LEDGER_PAGES, LEDGER_PATH, ledgerLinks } from './ledger-pages';
import { ledgerRoutes } from './ledger-routes';
import { ledgerErrors, problemRoutes } from './problem-routes';
import { problemRow, settlementColumns } from './row';
import { ledgerSettings } from './settings';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const ledger: Feature = {
  name: 'ledger',
  command: 'ledger',
  needs: ['operator'],
  settings: ledgerSettings,
  errors: ledgerErrors,
  api: {
    ledger: {
      description: 'Money movements for bookkeeping.',
      routes: [...ledgerRoutes, ...problemRoutes],
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
  personalData: { settlements: settlementColumns, settlement_problems: problemRow.erasure },
};
