// `npm run tool -- ledger import <file>`: imports a settlement file of the service as CSV.

import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  addByOption,
  byWhom,
  CommandError,
  runCommand,
  UsageError,
  type Command,
  type CommandResult,
} from '../../cli/command';
import { withContext } from '../../cli/with-context';
import type { Context } from '../../platform/context';
import { settingsOf } from '../../platform/settings';
import { importSettlement, type SettlementImport } from './import-settlement';
import { movementJson } from './ledger-routes';
import { ledgerSettings } from './settings';
import { decodeFile, readSettlementFile, SettlementFileError, type SettlementFile } from './settlement-file';

const MOST_BYTES = 100 * 1024 * 1024;
const MOST_SHOWN = 100;

export const command: Command = {
  name: 'npm run tool -- ledger',
  description: `Imports a settlement file of the payment service: each of its rows marks one
movement of the ledger as paid out, with its fee. SETTLEMENT_COLUMNS names the
columns. Importing a file again changes nothing; a corrected file replaces
what an earlier one said. UTF-8 and EUC-KR are read.

A row that fits no movement, or has another amount, is not stored, and a
movement that the file lacks is reported: it is not paid out as you expect.
Both stay on the page of the ledger until a person has resolved them.`,
  exitCodes: `0 every row fits; 1 some rows do not, or some are missing;
2 wrong arguments, settings or file; 3 the database does not answer.`,
  define(program, run) {
    addByOption(program)
      .command('import')
      .description('Imports a file.')
      .argument('<file.csv>', 'in UTF-8 or EUC-KR')
      .action((path: string) =>
        run(({ stderr }) => withContext((context) => importFile(context, path, byWhom(program)), stderr)),
      );
  },
};

async function importFile(context: Context, path: string, by: string): Promise<CommandResult> {
  const columns = settingsOf(context.config, ledgerSettings).SETTLEMENT_COLUMNS;
  const file = refusing(() => readSettlementFile(decodeFile(readFile(path)), columns));
  const result = await importSettlement(context, columns.id.kind, {
    ...file,
    name: basename(path).slice(0, 200),
  });
  const { added, unchanged, changed } = result;
  const missing = result.missing.length;
  const problems = result.problems.length + file.unreadable.length;
  context.logger.info({ event: 'settlement_imported', by, added, unchanged, changed, problems, missing });
  return {
    exitCode: problems + missing === 0 ? 0 : 1,
    text: textOf(file, result),
    json: {
      ...result,
      missing: result.missing.map(movementJson),
      unreadable: file.unreadable.map(({ line, column }) => ({ line, column })),
    },
  };
}

function readFile(path: string): Buffer {
  try {
    if (statSync(path).size > MOST_BYTES) throw new UsageError('The file is larger than 100 MB.');
    return readFileSync(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The file cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''} ${path}`);
  }
}

function refusing<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof SettlementFileError) throw new CommandError(error.message, 2);
    throw error;
  }
}

const MEANINGS = {
  not_found: 'no such movement in the ledger',
  amount_differs: 'another amount in the ledger',
  repeated: 'an earlier row of the file is about the same movement',
  ambiguous: 'several payments have this approval number and amount',
} as const;

function textOf({ rows, unreadable }: SettlementFile, result: SettlementImport): string {
  const { added, unchanged, changed, problems, missing } = result;
  const lines = [
    `${rows.length + unreadable.length} rows: ${added} added, ${unchanged} unchanged, ${changed} changed, ${problems.length + unreadable.length} not stored`,
    ...unreadable.map(({ line, column }) => `line ${line}: ${column} cannot be read`),
    ...problems.map(({ row, problem, amounts }) => {
      const differs = amounts.length > 0 ? ` (${amounts.join(', ')})` : '';
      return `line ${row.line}: ${row.id} ${row.kind} ${row.amount}: ${MEANINGS[problem]}${differs}`;
    }),
    ...missing.map(
      ({ svcUid, kind, amount }) =>
        `missing: ${svcUid} ${kind} ${amount}: later ones of its method are paid out`,
    ),
  ];
  const more = lines.length - 1 - MOST_SHOWN;
  const shown = lines.slice(0, MOST_SHOWN + 1);
  return `${[...shown, ...(more > 0 ? [`and ${more} more: see --json`] : [])].join('\n')}\n`;
}

if (require.main === module) void runCommand(command);
