// `npm run mutations`: Stryker changes what decides about money, addresses and cards, one expression at a time, in a copy of
// this repository, and the tests of single files have to notice. `-- <part of a path> …` takes some of the files alone. Less
// than 90 % noticed is exit 1.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { copyRepository, removeCopy } from '../copy-repository';

const FILES = [
  'payments/judge-payment.ts',
  'payments/order-status.ts',
  'address-list.ts',
  'http/source-address.ts',
  'payment-service/identifiers.ts',
  'payment-service/records/clean-text.ts',
  'payment-service/records/record-fields.ts',
  'payment-service/transport/request.ts',
  'payment-service/transport/access-token.ts',
  'billing-keys/card-input.ts',
];
const STRYKER = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

function main(parts: readonly string[]): void {
  const wanted = FILES.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (wanted.length === 0) {
    process.stderr.write(`None of these has such a name: ${FILES.join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const copy = copyRepository('mutations');
  try {
    const mutate = wanted.map((file) => `src/merchant/${file}`).join(',');
    const args = [STRYKER, 'run', '--mutate', mutate];
    process.exitCode = spawnSync(process.execPath, args, { cwd: copy, stdio: 'inherit' }).status ?? 1;
  } finally {
    removeCopy(copy);
  }
}

main(process.argv.slice(2));
