// `npm run proof -- planted-bugs` reports correctly: detected bugs, undetected bugs, and bugs without a result. This test plants one
// bug of the table and some others; the whole table takes too long for every change.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyRepository, removeCopy } from '../../proof/copy-repository';
import { plantBugs } from '../../proof/planted-bugs/plant-bug';
import type { PlantedBug } from '../../proof/planted-bugs/planted-bug';
import { PLANTED_BUGS } from '../../proof/planted-bugs/planted-bugs';

const FILE = 'core/payments/judge-payment.ts';
const sourceIn = (root: string) => readFileSync(join(root, 'src', 'merchant', FILE), 'utf8');

function bugCalled(name: string): PlantedBug {
  const bug = PLANTED_BUGS.find((each) => each.name === name);
  if (!bug) throw new Error(`no planted bug is called ${name}`);
  return bug;
}

test('a bug that a test detects is caught, one without effect survives, and one that cannot be planted is reported', async () => {
  const amount = bugCalled('more-than-the-amount-is-taken-for-it');
  const harmless = { ...amount, name: 'harmless', replace: `${amount.find} // no change` };
  const lost = { ...amount, name: 'lost', find: 'nowhere in this file' };
  const before = sourceIn(process.cwd());
  const copy = copyRepository('planted-bugs-test');
  try {
    expect(await plantBugs(copy, [amount, harmless, lost])).toEqual([
      { kind: 'caught', failed: [expect.stringContaining(amount.title)] },
      { kind: 'survived' },
      { kind: 'broken', why: 'its text stands 0 times in the file' },
    ]);
    expect(sourceIn(copy)).toBe(before);
    expect(sourceIn(process.cwd())).toBe(before);
  } finally {
    removeCopy(copy);
  }
}, 120_000);
