// The tables that are generated from the code, keyed by the name in the marks of a page.

import { KEPT_CANCEL_FIELDS, KEPT_FIELDS } from '../../src/merchant/core/payments/stored-record';
import { API } from '../../src/merchant/features';
import { faultRows } from './fault-rows';
import { kernelFiles } from './kernel';
import { logEvents } from './log-events';
import { code, codes, table } from './markdown';
import { counterTable, gaugeTable } from './metrics';
import { cardColumns, keptTables, personalColumns, typedColumns } from './personal-data';
import { sandboxFaults, sandboxSettings, sandboxVariables, testCardTable } from './sandbox';
import { settings } from './settings';

export const BLOCKS: Readonly<Record<string, () => string>> = {
  'error-codes': () =>
    table(
      ['Code', 'Status', 'What to do'],
      API.errors.map(({ code: name, status, remedy }) => [
        code(name),
        `${status}`,
        // A placeholder such as <API_KEY> must not be read as HTML.
        remedy.replaceAll('<', '\\<'),
      ]),
    ),
  settings,
  counters: counterTable,
  gauges: gaugeTable,
  'log-events': logEvents,
  'personal-columns': personalColumns,
  'typed-columns': typedColumns,
  'kept-tables': keptTables,
  'card-columns': cardColumns,
  'kept-fields': () =>
    `Of a record: ${codes([...KEPT_FIELDS])}.\n\nOf each cancellation in it: ${codes([...KEPT_CANCEL_FIELDS])}.`,
  faults: faultRows,
  kernel: kernelFiles,
  'sandbox-variables': sandboxVariables,
  'sandbox-settings': sandboxSettings,
  'sandbox-faults': sandboxFaults,
  'test-cards': testCardTable,
};
