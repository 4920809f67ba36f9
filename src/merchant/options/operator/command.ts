// `npm run tool -- operators`: accounts of operators, for example the first one, or one whose password and second factor are lost.

import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import { z } from 'zod';
import {
  addByOption,
  byWhom,
  runCommand,
  UsageError,
  type Command,
  type CommandResult,
} from '../../cli/command';
import { withContext } from '../../cli/with-context';
import type { Context } from '../../platform/context';
import type { LogFields } from '../../platform/http/log-fields';
import { recordAction } from './accounts/audit';
import {
  addAccount,
  disableAccount,
  newAccountSchema,
  resetAccount,
  setRole,
  type NotChanged,
} from './accounts/manage-accounts';
import { findAccounts } from './accounts/store';
import { ROLES, type Role } from './frame/roles';

export const command: Command = {
  name: 'npm run tool -- operators',
  description: `Lists, adds, changes and disables accounts of operators. The first account must
have the role admin; from then on OPERATOR_PASSWORD no longer signs in. "add"
and "reset" print a new password, once, which has to be changed at the first
sign-in. "reset" also removes the second factor, and enables a disabled account.
Every change signs the operator out.`,
  exitCodes: `0 done; 1 refused, with the reason; 2 wrong arguments or settings;
3 the database does not answer.`,
  define(program, run) {
    addByOption(program).action(() => run(({ stderr }) => withContext(list, stderr)));
    const act = (work: (context: Context, by: string) => Promise<CommandResult>) => {
      const by = byWhom(program);
      return run(({ stderr }) => withContext((context) => work(context, by), stderr));
    };
    const verb = (name: Change, description: string) =>
      program.command(name).description(description).argument('<name>', 'of the account');
    const role = new Option(
      '--role <role>',
      'what the operator may do; each role may also do what those before it may',
    )
      .choices(ROLES)
      .makeOptionMandatory();
    const stdin = new Option('--stdin', 'reads the password from standard input, and prints none');

    verb('add', 'Adds an account, and prints its password.')
      .addOption(role)
      .addOption(stdin)
      .action((name: string, options: Added) => act((context, by) => add(context, { name, by, ...options })));
    verb('role', 'Gives an account another role.')
      .addOption(role)
      .action((name: string, options: { role: Role }) =>
        act((context, by) => changeRole(context, { name, by, ...options })),
      );
    verb('disable', 'Disables an account.').action((name: string) =>
      act((context, by) => disable(context, { name, by })),
    );
    verb('reset', 'Gives an account a new password, and removes its second factor.')
      .addOption(stdin)
      .action((name: string, options: { stdin?: boolean }) =>
        act((context, by) => reset(context, { name, by, ...options })),
      );
  },
};

type Asked = { name: string; by: string };
type Added = { role: Role; stdin?: boolean };

async function add(
  context: Context,
  { name, by, role, stdin = false }: Asked & Added,
): Promise<CommandResult> {
  const account = accountFields(name, role);
  const password = stdin ? await readPassword() : {};
  const added = await addAccount(context, { ...account, ...password }, author(by));
  await recordChange(context, { action: 'add', name, by, outcome: added, given: { role } });
  return made(name, added, stdin);
}

async function changeRole(
  context: Context,
  { name, by, role }: Asked & { role: Role },
): Promise<CommandResult> {
  const account = accountFields(name, role);
  const changed = await setRole(context, name, account.role, author(by));
  await recordChange(context, { action: 'role', name, by, outcome: changed, given: { role } });
  return done(name, changed, 'has a new role');
}

async function disable(context: Context, { name, by }: Asked): Promise<CommandResult> {
  const changed = await disableAccount(context, name, author(by));
  await recordChange(context, { action: 'disable', name, by, outcome: changed });
  return done(name, changed, 'is disabled');
}

async function reset(
  context: Context,
  { name, by, stdin = false }: Asked & { stdin?: boolean },
): Promise<CommandResult> {
  const { password } = stdin ? await readPassword() : {};
  const changed = await resetAccount(context, name, author(by), password);
  await recordChange(context, { action: 'reset', name, by, outcome: changed });
  return made(name, changed, stdin);
}

const author = (by: string) => ({ by, accountId: null });

type Change = 'add' | 'role' | 'disable' | 'reset';
type Recorded = {
  action: Change;
  name: string;
  by: string;
  outcome: object | NotChanged;
  given?: LogFields;
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
  const accounts = (await findAccounts(context)).map((account) => ({
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

function accountFields(name: string, role: Role): z.output<typeof newAccountSchema> {
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
