// `npm run tool -- operators`: accounts of operators, for example the first one, or one whose password and second factor are lost.

import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findAccounts } from '../options/operator/account-store';
import { recordAction } from '../options/operator/audit';
import {
  addAccount,
  disableAccount,
  newAccountSchema,
  resetAccount,
  setRole,
  type NotChanged,
} from '../options/operator/manage-accounts';
import { lifetimeAt, ROLES } from '../options/operator/operator-session';
import type { Context } from '../platform/context';
import type { LogFields } from '../platform/http/log-fields';
import { byWhom, runCommand, UsageError, type Command, type CommandResult } from './command';
import { withContext } from './with-context';

const HELP = `npm run tool -- operators [--json]
npm run tool -- operators add <name> --role ${ROLES.join('|')} [--stdin]
npm run tool -- operators role <name> --role <role>
npm run tool -- operators disable <name>
npm run tool -- operators reset <name> [--stdin]

Lists, adds, changes and disables accounts of operators. The first account must
have the role admin; from then on OPERATOR_PASSWORD no longer signs in. "add"
and "reset" print a new password, once, which has to be changed at the first
sign-in. "reset" also removes the second factor, and enables a disabled account.
Every change signs the operator out.

  --role   what the operator may do; each role may also do what those before it
           may
  --stdin  reads the password from standard input, and prints none
  --by     who does it, for the audit log; the user of this computer by default
  --json   the outcome as JSON on standard output
  --help   this text

Exit code: 0 done; 1 refused, with the reason; 2 wrong arguments or settings;
3 the database does not answer.
`;

export const command: Command = {
  help: HELP,
  options: { role: { type: 'string' }, stdin: { type: 'boolean' }, by: { type: 'string' } },
  async run({ values, positionals }, { stderr }) {
    const [verb, name, ...more] = positionals;
    if (verb === undefined) return withContext(list, stderr);
    const asked = { verb, name, role: values['role'], stdin: values['stdin'] === true, by: byWhom(values) };
    const work = more.length > 0 ? null : workOf(asked);
    if (!work)
      throw new UsageError('Say "add", "role", "disable" or "reset" with a name, or nothing for the list.');
    return withContext(work, stderr);
  },
};

type Asked = {
  verb: string;
  name: string | undefined;
  role: unknown;
  stdin: boolean;
  by: string;
};
type Work = (context: Context) => Promise<CommandResult>;

function workOf({ verb, name, role, stdin, by }: Asked): Work | null {
  if (name === undefined) return null;
  const author = { by, accountId: null };
  const record = (context: Context, action: Change, outcome: object | NotChanged, given: LogFields = {}) =>
    recordChange(context, { action, name, by, outcome, given });
  switch (verb) {
    case 'add':
      return async (context) => {
        const account = accountFields(name, role);
        const password = stdin ? await readPassword() : {};
        const added = await addAccount(context, { ...account, ...password }, author);
        await record(context, verb, added, { role: account.role });
        return made(name, added, stdin);
      };
    case 'role':
      return async (context) => {
        const account = accountFields(name, role);
        const changed = await setRole(context, name, account.role, author);
        await record(context, verb, changed, { role: account.role });
        return done(name, changed, 'has a new role');
      };
    case 'disable':
      return async (context) => {
        const changed = await disableAccount(context, name, author);
        await record(context, verb, changed);
        return done(name, changed, 'is disabled');
      };
    case 'reset':
      return async (context) => {
        const { password } = stdin ? await readPassword() : {};
        const changed = await resetAccount(context, name, author, password);
        await record(context, verb, changed);
        return made(name, changed, stdin);
      };
    default:
      return null;
  }
}

type Change = 'add' | 'role' | 'disable' | 'reset';
type Recorded = {
  action: Change;
  name: string;
  by: string;
  outcome: object | NotChanged;
  given: LogFields;
};

/** Into the audit log, where the detail tells it from a change on the pages: `by` is no account. */
async function recordChange(context: Context, { action, name, by, outcome, given }: Recorded): Promise<void> {
  await recordAction(context, {
    by,
    sourceAddress: null,
    requestId: null,
    action,
    subject: 'accounts',
    subjectId: null,
    outcome: typeof outcome === 'string' ? outcome : 'done',
    detail: { account: name, ...given, command: 'operators' },
  });
}

async function list(context: Context): Promise<CommandResult> {
  const accounts = (await findAccounts(context, lifetimeAt(context.realClock.now()))).map((account) => ({
    name: account.name,
    role: account.role,
    second_factor: account.totpSecret !== null,
    sessions: account.sessions,
    created_at: account.createdAt.toISOString(),
    disabled_at: account.disabledAt?.toISOString() ?? null,
  }));
  const lines = accounts.map(
    ({ name, role, second_factor: has, sessions, disabled_at: disabled }) =>
      `${name}  ${role}  ${has ? 'second factor' : 'no second factor'}  ${disabled ? `disabled ${disabled}` : `${sessions} sessions`}\n`,
  );
  const none = 'There is no account: OPERATOR_PASSWORD signs in.\n';
  return { exitCode: 0, text: lines.join('') || none, json: accounts };
}

function accountFields(name: string, role: unknown): z.output<typeof newAccountSchema> {
  const asked = newAccountSchema.safeParse({ name, role });
  if (!asked.success) throw new UsageError(z.prettifyError(asked.error));
  return asked.data;
}

/** The first line of standard input. */
async function readPassword(): Promise<{ password: string }> {
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  return { password };
}

const REASONS: Record<NotChanged, string> = {
  taken: 'An account has this name.',
  not_admin: 'The first account must have the role admin.',
  not_found: 'There is no such account.',
  last_admin: 'One enabled account must have the role admin. Give this role to another account first.',
  too_short: 'The password must have at least 12 characters.',
  too_common: 'The password is too common.',
  has_name: 'The password must not contain the name.',
};

function made(name: string, outcome: { password: string } | NotChanged, isGiven: boolean): CommandResult {
  if (typeof outcome === 'string') return refusal(outcome);
  const { password } = outcome;
  return isGiven
    ? { exitCode: 0, text: `${name} has this password now.\n`, json: { name } }
    : {
        exitCode: 0,
        text: `${password}\nThis is the password of ${name}. It is shown only now.\n`,
        json: { name, password },
      };
}

function done(name: string, outcome: object | NotChanged, what: string): CommandResult {
  if (typeof outcome === 'string') return refusal(outcome);
  return { exitCode: 0, text: `${name} ${what}, and is signed out.\n`, json: { name } };
}

function refusal(reason: NotChanged): CommandResult {
  return { exitCode: 1, text: `${REASONS[reason]}\n`, json: { outcome: reason } };
}

if (require.main === module) void runCommand(command);
