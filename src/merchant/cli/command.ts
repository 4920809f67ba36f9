// What all commands have in common: arguments, help, exit codes, interruption. A command answers with text for people
// and a value for programs (`--json`); standard output carries nothing else.

import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigFault } from '../config';
import { DatabaseFault, ServiceFault } from '../errors';

/** 0 all is well; 1 something is not; 2 wrong arguments or settings; 3 it could not be found out; 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;
export type CommandResult = { exitCode: ExitCode; text: string; json: unknown };

type Options = NonNullable<ParseArgsConfig['options']>;
export type Arguments = { values: Record<string, string | boolean | undefined>; positionals: string[] };

export type Command = {
  /** Shown by `--help`: what it does, its arguments, its exit codes. */
  help: string;
  options: Options;
  run(args: Arguments, signal: AbortSignal, quiet: boolean): Promise<CommandResult>;
};

/** Wrong arguments: the sentence is shown above a hint at `--help`. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

const COMMON = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
} as const satisfies Options;

export async function runCommand(command: Command, argv = process.argv.slice(2)): Promise<void> {
  process.exitCode = await execute(command, argv);
}

async function execute(command: Command, argv: string[]): Promise<ExitCode> {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // A second one does not wait for the next good place to stop. Nothing is lost by that either.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  // Whoever reads along (`| head`) may have seen enough.
  process.stdout.on('error', () => undefined);
  try {
    const args = parse(command, argv);
    if (args.values['help']) {
      process.stdout.write(command.help);
      return 0;
    }
    const json = args.values['json'] === true;
    const result = await command.run(args, interrupted.signal, json);
    process.stdout.write(json ? `${JSON.stringify(result.json, null, 2)}\n` : result.text);
    return interrupted.signal.aborted ? 130 : result.exitCode;
  } catch (error) {
    const { sentence, exitCode } = explain(error);
    process.stderr.write(`${sentence}\n`);
    return exitCode;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

function parse({ options }: Command, args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...COMMON, ...options },
      allowPositionals: true,
    });
    return { values: values, positionals };
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}

function explain(error: unknown): { sentence: string; exitCode: ExitCode } {
  if (error instanceof UsageFault) return { sentence: `${error.message}\nSee --help.`, exitCode: 2 };
  if (error instanceof ConfigFault) return { sentence: error.message, exitCode: 2 };
  if (error instanceof ServiceFault) return { sentence: serviceSentence(error), exitCode: 3 };
  if (error instanceof DatabaseFault)
    return {
      sentence: `The database does not answer (${error.code}): is it running, and is DATABASE_URL right?`,
      exitCode: 3,
    };
  // A fault of ours. Its message may quote what it failed on, its place does not.
  const place =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => /^\s+at /.test(line)) : '';
  return { sentence: `The command failed: ${(error as Error).name}${place?.trimStart() ?? ''}`, exitCode: 3 };
}

/** What a fault of the service means to whoever runs a command. */
export function serviceSentence({ facts }: ServiceFault): string {
  const { kind, status, detail, serviceMessage } = facts;
  const said = serviceMessage ? ` It says: ${serviceMessage}` : '';
  switch (kind) {
    case 'unreachable':
    case 'no_answer':
      return `The payment service does not answer (${detail ?? kind}): is SERVICE_BASE_URL right, and is it up?`;
    case 'unauthorized':
      return `The payment service refuses our credentials: check SERVICE_KEY and SERVICE_SECRET.${said}`;
    case 'rate_limited':
      return `The payment service asks for a pause: try again ${facts.retryAfterSeconds ? `in ${facts.retryAfterSeconds} s` : 'later'}.`;
    case 'server_error':
      return `The payment service is out of order (HTTP ${status ?? '5xx'}): try again later.${said}`;
    case 'bad_answer':
      return `What answers at SERVICE_BASE_URL is not the payment service, or not in order (${detail ?? kind}).`;
    case 'not_found':
    case 'refused':
      return `The payment service refuses ${facts.method} ${facts.path}.${said}`;
  }
}
