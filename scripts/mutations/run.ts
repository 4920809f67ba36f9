// `npm run mutations`: Stryker changes what decides about money, addresses and cards, one expression at a time, in a copy of
// this repository, and the test of the file has to notice. `-- <part of a path> …` takes some of the files alone. Less than
// 90 % noticed in a file is exit 1.

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
    const failed = wanted.filter(([file, test]) => !isNoticed(copy, file, test));
    process.exitCode = failed.length === 0 ? 0 : 1;
  } finally {
    removeCopy(copy);
  }
}

function isNoticed(copy: string, file: string, test: string): boolean {
  const { status } = spawnSync(process.execPath, [STRYKER, 'run', '--mutate', `src/merchant/${file}`], {
    cwd: copy,
    stdio: 'inherit',
    env: { ...process.env, MUTATION_TEST: test },
  });
  return status === 0;
}

main(process.argv.slice(2));
