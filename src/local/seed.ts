// `npm run seed`: fills a running `npm start` with the last 30 days of a shop, over HTTP only.

import { createPaint, table } from '../merchant/cli/terminal';
import { fileProblem } from '../merchant/platform/file-problem';
import { findRunningPlaces } from './running-places';
import { fillShop, findSeeded, resetClock } from './seed-shop';
import { loadEnvironment } from './settings';

const HELP = `Usage: npm run seed

Fills the shop of a running "npm start" with the last 30 days: orders, payments, failures, deposits, refunds, cards, plans,
and payments that need review. Every call is one that a shop or a buyer makes. The clock of shop and sandbox is put back 30
days meanwhile, and shows the real time in the end. The data is the same at each run; a shop that has it already is left as
it is. Exits with 0, or with 2 if the programs do not answer.
`;

async function main(given: string[]): Promise<number> {
  if (given.length > 0) {
    console.log(HELP);
    return given[0] === '--help' ? 0 : 2;
  }
  const places = await findRunningPlaces(loadEnvironment(process.cwd()));
  const paint = createPaint(process.stdout, process.env);
  const seeded = await findSeeded(places);
  if (seeded !== null) {
    console.log(`\n${paint('Seeded orders', 'bold')}\n\n${table(Object.entries(seeded.orders))}`);
    const state = seeded.isWhole
      ? 'The shop has these 30 days already, so nothing was done.'
      : 'An earlier run did not come to its end. Nothing was done now.';
    console.log(`${state} To begin again: stop npm start, delete .data, then start and seed again.`);
    return 0;
  }
  process.once('SIGINT', () => void resetClock(places).finally(() => process.exit(130)));
  const made = await fillShop(places, (day, days) => console.error(`Day ${day} of ${days}`));
  console.log(`\n${paint('Made', 'bold')}\n\n${table(Object.entries(made))}`);
  console.log(`Look at it: ${places.merchant.url.replace('127.0.0.1', 'localhost')}/operator`);
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(fileProblem(error) ?? error.message);
    process.exit(2);
  },
);
