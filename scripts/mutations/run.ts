// `npm run mutations`: Stryker changes what decides about money, addresses and cards, one expression at a time, in a copy of
// this repository, and the tests of single files have to notice. `-- <part of a path> …` takes some of the files alone. Less
// than 90 % noticed is exit 1.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { copyRepository, removeCopy } from '../copy-repository';

/** What is changed below `src/merchant`, and who has to notice below `test/merchant`. */
const FILES: Record<string, string> = {
  'payments/judge-payment.ts': 'payments/judge-payment.test.ts',
  'payments/order-status.ts': 'payments/order-status.test.ts',
  'address-list.ts': 'address-list.test.ts',
  'http/source-address.ts': 'http/source-address.test.ts',
  'payment-service/identifiers.ts': 'payment-service/identifiers.test.ts',
  'payment-service/records/clean-text.ts': 'payment-service/clean-text.test.ts',
  'payment-service/records/record-fields.ts': 'payment-service/read-records.test.ts',
  'payment-service/transport/request.ts': 'payment-service/identifiers.test.ts',
  'payment-service/transport/access-token.ts': 'payment-service/access-token.test.ts',
  'billing-keys/card-input.ts': 'billing-keys/card-input.test.ts',
};
const STRYKER = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

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
    const sources = wanted.map(([file]) => `src/merchant/${file}`);
    const tests = new Set(wanted.map(([, test]) => `test/merchant/${test}`));
    const args = [STRYKER, 'run', '--mutate', sources.join(','), '--testFiles', [...tests].join(',')];
    process.exitCode = spawnSync(process.execPath, args, { cwd: copy, stdio: 'inherit' }).status ?? 1;
  } finally {
    removeCopy(copy);
  }
}

main(process.argv.slice(2));
