// `npm run doctor`: whether this merchant can work, as far as that can be found out from here.

import { systemClock } from '../clock';
import { ConfigFault } from '../config';
import { createLogger } from '../logger';
import { runCommand, type Command, type CommandResult } from './command';
import {
  checkDatabase,
  checkLegalPages,
  checkNode,
  checkService,
  checkWebhook,
  type Check,
} from './doctor-checks';
import { openMerchant } from './open-merchant';
import { readConfig } from './read-settings';
import { createPaint, type Paint } from './terminal';

const HELP = `npm run doctor [-- --json]

Checks Node, settings, database, migrations, the payment service, its credentials and clock, what the webhook lets in,
and the legal pages. Changes nothing. Asks the running server on PORT, if there is one.

  --json  the checks as JSON on standard output
  --help  this text

Exit code: 0 nothing failed (warnings may be there); 1 something failed.
`;

const doctor: Command = {
  help: HELP,
  options: {},
  async run() {
    const checks = [await checkNode(), ...(await checkRest())];
    return toResult(checks, createPaint(process.stdout, process.env));
  },
};

async function checkRest(): Promise<Check[]> {
  let config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const fix = 'For a try on this machine run npm start, then this again beside it.';
    return [{ name: 'settings', state: 'failed', says: error.message, fix }];
  }
  const merchant = openMerchant({ config, clock: systemClock, logger: createLogger('silent') });
  try {
    return [
      { name: 'settings', state: 'ok', says: config.production ? 'production' : 'development' },
      ...(await checkDatabase(merchant.database)),
      ...(await checkService(merchant.service, systemClock, config)),
      ...(await checkWebhook(config)),
      await checkLegalPages(config.production),
    ];
  } finally {
    await merchant.close();
  }
}

function toResult(checks: Check[], paint: Paint): CommandResult {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const colours = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'yellow' } as const;
  const lines = checks.flatMap(({ name, state, says, fix }) => [
    `  ${paint(state.padEnd(7), colours[state])}  ${name.padEnd(width)}  ${indent(says, width)}`,
    ...(fix === undefined ? [] : [`${' '.repeat(width + 13)}${indent(fix, width)}`]),
  ]);
  const failed = checks.filter(({ state }) => state === 'failed').length;
  return {
    exitCode: failed > 0 ? 1 : 0,
    text: `${lines.join('\n')}\n\n  ${failed === 0 ? 'Nothing failed.' : `${failed} failed.`}\n`,
    json: { ok: failed === 0, checks },
  };
}

const indent = (text: string, width: number): string => text.split('\n').join(`\n${' '.repeat(width + 13)}`);

void runCommand(doctor);
