// `npm run proof -- mutations`: in a copy of this repository, Stryker changes the code that decides about money, addresses and
// cards, one expression at a time, and the tests of the file must fail. `-- <part of a path> …` selects files. Exits with 1 if
// less than 90 % of the mutations of a file are detected.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyRepository, removeCopy } from '../copy-repository';

const RECORDS = ['merchant/payment-service/records/payment-record', 'properties/bodies'];
/** Files below `src/merchant`, with the tests below `test` that must detect mutations. */
const FILES: Record<string, readonly string[]> = {
  // Verification of payments.
  'core/payments/judge-payment.ts': [
    'merchant/core/payments/judge-payment',
    'merchant/core/payments/recorded-payments',
    'properties/judgement',
    'properties/books',
  ],
  'core/payments/order-status.ts': ['merchant/core/payments/order-status', 'properties/books'],
  // Who may send a notification.
  'platform/address-list.ts': ['merchant/platform/address-list', 'properties/addresses'],
  'platform/http/source-address.ts': ['merchant/platform/http/source-address', 'properties/addresses'],
  'core/webhooks/judge-source.ts': ['merchant/core/webhooks/judge-source'],
  // Masking.
  'platform/http/mask-card-numbers.ts': ['merchant/platform/http/mask-card-numbers', 'properties/masks'],
  'payment-service/records/clean-text.ts': ['merchant/payment-service/clean-text', 'properties/masks'],
  // Input from outside.
  'payment-service/identifiers.ts': ['merchant/payment-service/identifiers', 'properties/requests'],
  'options/card-form/card-input.ts': ['merchant/options/card-form/card-input', 'properties/card-form'],
  'core/webhooks/parse-notification.ts': ['merchant/core/webhooks/parse-notification', 'properties/bodies'],
  // Money in the records of the service.
  'payment-service/records/record-fields.ts': [...RECORDS, 'merchant/payment-service/newer-generation'],
  'payment-service/records/payment-record.ts': RECORDS,
  'payment-service/newer-generation.ts': [
    'merchant/payment-service/newer-generation',
    'merchant/payment-service/operations',
  ],
  // Address and token of a call.
  'payment-service/transport/request.ts': [
    'merchant/payment-service/request',
    'merchant/payment-service/identifiers',
    'properties/requests',
  ],
  'payment-service/transport/access-token.ts': [
    'merchant/payment-service/access-token',
    'properties/access-token',
  ],
};
/** Most failing properties fail within a few values. */
const PROPERTY_RUNS = '30';
const STRYKER = join('tools', 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const CONFIG = join('tools', 'proof', 'mutations', 'stryker.config.json');

function main(parts: readonly string[]): void {
  const wanted = Object.entries(FILES).filter(
    ([file]) => parts.length === 0 || parts.some((part) => file.includes(part)),
  );
  if (wanted.length === 0) {
    process.stderr.write(`None of these has such a name: ${Object.keys(FILES).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const copy = copyRepository('mutations');
  try {
    const failed = wanted.filter(([file, tests]) => !isNoticed(copy, file, tests));
    process.exitCode = failed.length === 0 ? 0 : 1;
  } finally {
    removeCopy(copy);
  }
}

function isNoticed(copy: string, file: string, tests: readonly string[]): boolean {
  const missing = tests.filter((test) => !existsSync(join(copy, 'test', `${test}.test.ts`)));
  if (missing.length > 0) throw new Error(`${file}: there is no test ${missing.join(', ')}`);
  const { status } = spawnSync(
    process.execPath,
    [STRYKER, 'run', CONFIG, '--mutate', `src/merchant/${file}`],
    {
      cwd: copy,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_TESTS: tests.join(), PROPERTY_RUNS },
    },
  );
  return status === 0;
}

main(process.argv.slice(2));
