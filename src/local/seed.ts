// `npm run seed`: fills a running `npm start` with 30 days of a shop, over HTTP only.

import { createPaint, table } from '../merchant/cli/terminal';
import { fileProblem } from '../merchant/platform/file-problem';
import { findRunningPlaces } from './running-places';
import { fillShop, isFilled } from './seed-shop';
import { loadEnvironment } from './settings';

const HELP = `Usage: npm run seed

Fills the shop of a running "npm start" with 30 days: orders, payments, failures, deposits, refunds, cards, plans, and
payments that need review. Every call is one that a shop or a buyer makes. The clock of shop and sandbox moves 30 days
ahead, and stays there. The data is the same at each run; a shop that has it already is left as it is. Exits with 0, or
with 2 if the programs do not answer.
`;

async function main(given: string[]): Promise<number> {
  if (given.length > 0) {
    console.log(HELP);
    return given[0] === '--help' ? 0 : 2;
  }
  const places = await findRunningPlaces(loadEnvironment(process.cwd()));
  if (await isFilled(places)) {
    console.log(
      'The shop has these 30 days already, so nothing was done. To begin again: stop npm start and delete .data.',
    );
    return 0;
  }
  const made = await fillShop(places, (day, days) => console.error(`Day ${day} of ${days}`));
  const paint = createPaint(process.stdout, process.env);
  console.log(`\n${paint('Made', 'bold')}\n\n${table(Object.entries(made))}`);
  console.log(`Look at it: ${places.merchant.url.replace('127.0.0.1', 'localhost')}/operator`);
  console.log(
    'The clock of shop and sandbox is 30 days ahead: "Reset" at the top of each page brings it back.',
  );
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(fileProblem(error) ?? error.message);
    process.exit(2);
  },
);
