// `npm run doctor`: whether this merchant can work, as far as that can be found out from this machine.

import { ConfigError, type Config } from '../config';
import { readConfig, readTerminalSettings } from '../environment';
import { checkDatabase } from './check-database';
import { checkService } from './check-service';
import { checkWebhook } from './check-webhook';
import { runCommand, type Command, type CommandResult } from './command';
import { checkDatabaseTransport, checkLegalPages, checkMode, checkNode, type Check } from './doctor-checks';
import { createPaint, type Paint } from './terminal';
import { withContext } from './with-context';

const HELP = `npm run doctor [-- --json]

Checks Node, settings, database, migrations, the payment service, its credentials and clock, which senders the webhook
lets in, and the legal pages. Changes nothing. Asks the running server on PORT, if there is one.

  --json  the checks as JSON on standard output
  --help  this text

Exit code: 0 nothing failed (there may be warnings); 1 something failed.
`;

const command: Command = {
  help: HELP,
  options: {},
  async run() {
    const checks = [await checkNode(), ...(await checkWithSettings())];
    return toResult(checks, createPaint(process.stdout, readTerminalSettings()));
  },
};

/** Without valid settings nothing else can be checked. */
async function checkWithSettings(): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'To try it on this machine, run npm start, and this again beside it.';
    return [{ name: 'settings', state: 'failed', says: error.message, fix }];
  }
  return withContext(config, async (context) => [
    checkMode(config),
    ...checkDatabaseTransport(config),
    ...(await checkDatabase(context)),
    ...(await checkService(context)),
    ...(await checkWebhook(config)),
    await checkLegalPages(config.production),
  ]);
}

const COLOURS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'yellow' } as const;

function toResult(checks: Check[], paint: Paint): CommandResult {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, says, fix }) => [
    `  ${paint(state.padEnd(7), COLOURS[state])}  ${name.padEnd(width)}  ${indent(says, width)}`,
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

void runCommand(command);
