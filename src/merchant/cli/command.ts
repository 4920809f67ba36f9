// Common parts of all commands: arguments, help, exit codes, interruption. A command returns text for people and a
// value for programs (`--json`); standard output has nothing else.

import { userInfo } from 'node:os';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { closestWord } from '../platform/closest-word';
import { ConfigError } from '../platform/config';
import { databaseReasonText } from '../platform/database-problems';
import { isTakenByNpm, readTerminalSettings } from '../platform/environment';
import { DatabaseError, ServiceError } from '../platform/errors';
import { fileProblem } from '../platform/file-problem';
import { escapeUnseen, terminalOf, type Output, type Terminal } from './terminal';

/**
 * 0: success. 1: a problem was found. 2: wrong arguments or settings. 3: the result could not be determined. 130:
 * interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;
export type CommandResult = { exitCode: ExitCode; text: string; json: unknown };

type Options = NonNullable<ParseArgsConfig['options']>;
export type Arguments = { values: Record<string, string | boolean | undefined>; positionals: string[] };

export type Command = {
  /** Shown by `--help`: purpose, arguments and exit codes. Lines of at most 80 columns. */
  help: string;
  options: Options;
  /** Whether it has options only. */
  takesNoArguments?: boolean;
  run(args: Arguments, surroundings: Surroundings): Promise<CommandResult>;
};

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

const COMMON = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
} as const satisfies Options;

/** Runs a command as the program of this process. */
export async function runCommand(command: Command): Promise<void> {
  // A reader such as `| head` may close the pipe early.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  process.exitCode = await execute(command, process.argv.slice(2), process);
}

/** Runs a command to its end. The settings are those of this process. */
export async function execute(
  command: Command,
  argv: string[],
  { stdout, stderr }: Outputs,
): Promise<ExitCode> {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // A second interruption exits at once instead of at the next safe point. Nothing is lost by that either.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    const args = parse(command, argv);
    if (args.values['help']) {
      stdout.write(command.help);
      return 0;
    }
    const isQuiet = args.values['json'] === true;
    const terminal = terminalOf(stdout, readTerminalSettings());
    const result = await command.run(args, { signal: interrupted.signal, isQuiet, terminal, stderr });
    const output = isQuiet ? `${JSON.stringify(result.json, null, 2)}\n` : result.text;
    stdout.write(escapeUnseen(output));
    return interrupted.signal.aborted ? 130 : result.exitCode;
  } catch (error) {
    const { message, exitCode } = explain(error);
    stderr.write(`${message}\n`);
    return exitCode;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** @throws UsageError */
function parse({ options: own, takesNoArguments = false }: Command, args: string[]): Arguments {
  const options: Options = { ...COMMON, ...own };
  const names = Object.keys(options).map((name) => `--${name}`);
  // Not strict, so that the problem is said in our own words.
  const { values, positionals, tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (!option)
      throw new UsageError(`There is no option ${token.rawName}${didYouMean(token.rawName, names)}`);
    const needsValue = option.type === 'string';
    if (needsValue && (token.value === undefined || (!token.inlineValue && token.value.startsWith('-'))))
      throw new UsageError(`Missing the value of --${token.name}.`);
    if (!needsValue && token.value !== undefined) throw new UsageError(`--${token.name} takes no value.`);
  }
  const [first] = positionals;
  if (takesNoArguments && first !== undefined)
    throw new UsageError(`There is no argument "${first}"${didYouMean(first, names)}`);
  // Without "--" in front of it, npm takes an option for itself: a dry run would then be a real one.
  const taken = Object.keys(own).find((name) => values[name] === undefined && isTakenByNpm(name));
  if (taken !== undefined)
    throw new UsageError(
      `npm took --${taken} for itself. Write "--" in front of the options: npm run … -- --${taken}`,
    );
  return { values: values, positionals };
}

/** The end of a sentence: "; did you mean --live?", or "." if no word is close. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const plain = (word: string) => word.replace(/^-+/, '');
  const meant = closestWord(plain(typed).toLowerCase(), words.map(plain));
  const word = words.find((each) => plain(each) === meant);
  return word === undefined ? '.' : `; did you mean ${word}?`;
}

/**
 * Who runs the command, for the log: the value of `--by`, or the user of this computer. In a container the user may have
 * no name: --by is then required.
 * @throws UsageError
 */
export function byWhom({ by }: Arguments['values']): string {
  if (by !== undefined) return String(by);
  try {
    return userInfo().username;
  } catch {
    throw new UsageError('--by: say who decides; this computer has no name for its user.');
  }
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
  if (error instanceof DatabaseError)
    return {
      message: databaseReasonText(error.code),
      exitCode: 3,
    };
  const file = fileProblem(error);
  if (file !== null) return { message: file, exitCode: 2 };
  // A bug in our code. Its message may quote data; its name and position do not.
  const place =
    error instanceof Error ? (error.stack ?? '').split('\n').find((line) => /^\s+at /.test(line)) : undefined;
  const where = place === undefined ? '' : ` ${place.trimStart()}`;
  return { message: `The command failed: ${(error as Error).name}${where}`, exitCode: 3 };
}

/** Explains an error of the payment service to the person who runs a command. */
export function serviceErrorText({ facts }: ServiceError): string {
  const { kind, path, status, detail, serviceMessage } = facts;
  const message = serviceMessage ? ` Its message: ${serviceMessage}` : '';
  const certificate = kind === 'unreachable' ? findCertificateProblem(detail ?? '') : null;
  if (certificate) return `The payment service ${certificate.shown}: nothing was sent to it.`;
  switch (kind) {
    case 'unreachable':
    case 'no_answer':
      return `The payment service does not answer (${detail ?? kind}): is it running, and is SERVICE_BASE_URL right?`;
    case 'unauthorized':
      return `The payment service refuses our credentials: check ${path.startsWith('/v2/') ? 'SERVICE_API_KEY' : 'SERVICE_KEY and SERVICE_SECRET'}.${message}`;
    case 'rate_limited':
      return `The payment service asks for a pause: try again ${facts.retryAfterSeconds ? `in ${facts.retryAfterSeconds} s` : 'later'}.`;
    case 'server_error':
      return `The payment service is out of order (HTTP ${status ?? '5xx'}): try again later.${message}`;
    case 'bad_answer':
      return `Invalid response from the payment service (${detail ?? kind}): is SERVICE_BASE_URL right?`;
    case 'not_found':
    case 'refused':
      return `The payment service refuses ${facts.method} ${facts.path}.${message}`;
  }
}

/**
 * Explains an invalid certificate to the person who runs a command. `shown` is what is wrong with it, as the end of a
 * sentence that begins with its owner.
 */
type CertificateProblem = { shown: string; isUnknownSigner: boolean };

const BY_CODE: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate of a CA that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'shows a certificate whose CA this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate whose CA this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'shows a certificate without its intermediate certificates, or of a CA that this machine does not know',
};
const OTHERS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'shows a certificate that was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate of another host name',
};
const ANY_CODE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;

/**
 * Node reads NODE_EXTRA_CA_CERTS when the process starts, before `.env` is read. For PostgreSQL the CA is in
 * DATABASE_URL.
 */
export const EXTRA_CA =
  'If your own CA has signed it, set NODE_EXTRA_CA_CERTS=/path/ca.pem in the environment (not in .env). Never switch off the check.';

/** @param text that may contain a code such as "DEPTH_ZERO_SELF_SIGNED_CERT". Returns null if it has none */
export function findCertificateProblem(text: string): CertificateProblem | null {
  const code = text.split(/[^A-Z_]+/).find((word) => ANY_CODE.test(word));
  if (code === undefined) return null;
  const unknownSigner = BY_CODE[code];
  const shown = unknownSigner ?? OTHERS[code] ?? 'shows a certificate that does not verify';
  return { shown: `${shown} (${code})`, isUnknownSigner: unknownSigner !== undefined };
}
