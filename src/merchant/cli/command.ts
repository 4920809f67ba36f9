// Common parts of all commands: options, help, exit codes, interruption. A command returns text for people and a value for
// programs (`--json`); standard output has nothing else. The parser is commander.

import { userInfo } from 'node:os';
import { CommanderError, Command as Program } from 'commander';
import { ServiceError } from '../payment-service/records/service-error';
import { ConfigError } from '../platform/config';
import { databaseReasonText } from '../platform/database-problems';
import { isTakenByNpm, readTerminalSettings } from '../platform/environment';
import { DatabaseError } from '../platform/errors';
import { fileProblem } from '../platform/file-problem';
import { serviceErrorText } from './service-error-text';
import { escapeUnseen, terminalOf, type Output, type Terminal } from './terminal';

/**
 * 0: success. 1: a problem was found. 2: wrong arguments or settings. 3: the result could not be determined. 130:
 * interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;
export type CommandResult = { exitCode: ExitCode; text: string; json: unknown };

export type Command = {
  /** As one types it, such as "npm run explain --". */
  name: string;
  /** Shown by `--help`, in lines of at most 80 columns. */
  description: string;
  /** What each exit code means, shown after the options. */
  exitCodes: string;
  /** Adds arguments, options and the action, which passes its work to `run`. */
  define(program: Program, run: Run): void;
};

type Run = (work: (surroundings: Surroundings) => Promise<CommandResult>) => Promise<void>;

export type Surroundings = {
  /** Aborted by an interruption. */
  signal: AbortSignal;
  /** Whether only JSON is wanted. */
  isQuiet: boolean;
  /** Of standard output. */
  terminal: Terminal;
  /** Standard error: progress, and the log. */
  stderr: Output;
};

/** A process has them. */
type Outputs = { stdout: Output; stderr: Output };

/** Wrong arguments. The message is shown with a hint to `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A refusal or failure whose message explains it to a person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

/** Runs a command as the program of this process. */
export async function runCommand(command: Command): Promise<void> {
  // A reader such as `| head` may close the pipe early.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  process.exitCode = await execute(command, process.argv.slice(2), process);
}

/** Runs a command to its end. The settings are those of this process. */
export async function execute(command: Command, argv: string[], outputs: Outputs): Promise<ExitCode> {
  const { stdout, stderr } = outputs;
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // A second interruption exits at once instead of at the next safe point. Nothing is lost by that either.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  let exitCode: ExitCode = 0;
  const run: Run = async (work) => {
    const isQuiet = program.opts()['json'] === true;
    const terminal = terminalOf(stdout, readTerminalSettings());
    const result = await work({ signal: interrupted.signal, isQuiet, terminal, stderr });
    const output = isQuiet ? `${JSON.stringify(result.json, null, 2)}\n` : result.text;
    stdout.write(escapeUnseen(output));
    exitCode = result.exitCode;
  };
  const program = createProgram(command, outputs, run);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return interrupted.signal.aborted ? 130 : exitCode;
  } catch (error) {
    // commander has written its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const explained = explain(error);
    stderr.write(`${explained.message}\n`);
    return explained.exitCode;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

function createProgram(command: Command, { stdout, stderr }: Outputs, run: Run): Program {
  const program = new Program(command.name)
    .description(command.description)
    .helpOption('-h, --help', 'this text')
    .addHelpText('afterAll', `\nExit code: ${command.exitCodes}`)
    .showHelpAfterError('See --help.')
    .allowExcessArguments(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .exitOverride()
    .hook('preAction', (_program, called) => refuseTakenByNpm(called));
  command.define(program, run);
  return program.option('--json', 'the result as JSON on standard output');
}

export function addByOption(program: Program): Program {
  return program.option('--by <name>', 'who does it, for the log; the user of this computer by default');
}

/**
 * Who runs the command: the value of `--by`, or the user of this computer. In a container the user may have no name: --by is
 * then required.
 * @throws UsageError
 */
export function byWhom(program: Program): string {
  const { by } = program.opts<{ by?: string }>();
  if (by?.startsWith('-')) throw new UsageError('Missing the value of --by.');
  if (by !== undefined) return by;
  try {
    return userInfo().username;
  } catch {
    throw new UsageError('--by: say who decides; this computer has no name for its user.');
  }
}

/** Without "--" in front of it, npm takes an option for itself: a dry run would then be a real one. */
function refuseTakenByNpm(called: Program): void {
  const given = called.optsWithGlobals();
  const taken = called.options.find(
    (option) =>
      option.long !== '--json' && given[option.attributeName()] === undefined && isTakenByNpm(option.name()),
  );
  if (taken)
    throw new UsageError(
      `npm took ${taken.long} for itself. Write "--" in front of the options: npm run … -- ${taken.long}`,
    );
}

function explain(error: unknown): { message: string; exitCode: ExitCode } {
  if (error instanceof UsageError) return { message: `${error.message}\nSee --help.`, exitCode: 2 };
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) return { message: error.message, exitCode: 2 };
  if (error instanceof ServiceError) return { message: serviceErrorText(error), exitCode: 3 };
  if (error instanceof DatabaseError && error.refusesValue)
    return {
      message: `The database cannot store a value (${error.code}): another try has the same result.`,
      exitCode: 1,
    };
  if (error instanceof DatabaseError) return { message: databaseReasonText(error.code), exitCode: 3 };
  const file = fileProblem(error);
  if (file !== null) return { message: file, exitCode: 2 };
  // A bug in our code. Its message may quote data; its name and position do not.
  const place =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => /^\s+at /.test(line)) : undefined;
  const where = place === undefined ? '' : ` ${place.trimStart()}`;
  return { message: `The command failed: ${(error as Error).name}${where}`, exitCode: 3 };
}
