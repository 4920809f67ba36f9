// The page of operators' accounts: the list, a form that adds one, and buttons that change one. A password is in the
// answer to its form and nowhere else.

import { isRowId } from '../../../core/attempts/attempt-schema';
import type { Context, OperatorPages } from '../../../platform/context';
import {
  toPage,
  type ActionName,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { ROLES } from '../frame/roles';
import {
  addAccount,
  disableAccount,
  endSessions,
  newAccountSchema,
  resetAccount,
  setRole,
  type Author,
  type NotChanged,
} from './manage-accounts';
import { findAccount, findAccounts } from './store';
import { accountsEn } from './texts.en';
import { accountsKo } from './texts.ko';

export const ACCOUNTS_PATH = '/operator/accounts';

type Problem = NotChanged | 'wrong';
type Shown = {
  status?: number;
  /** The new password of an account. */
  made?: { name: string; password: string };
  changed?: { name: string; what: 'role' | 'disable' | 'end-sessions' };
  problem?: Problem;
};

async function showAccounts(context: Context, { status = 200, ...shown }: Shown): Promise<OperatorAnswer> {
  const accounts = await findAccounts(context);
  return toPage({
    status,
    template: 'accounts',
    title: ({ operator }) => operator.accounts.title,
    place: 'accounts',
    isError: shown.problem !== undefined,
    data: {
      accounts: accounts.map(({ id, name, role, disabledAt, createdAt, totpSecret, sessions }) => {
        return { id, name, role, disabledAt, createdAt, hasSecondFactor: totpSecret !== null, sessions };
      }),
      roles: ROLES,
      made: null,
      changed: null,
      problem: null,
      ...shown,
    },
  });
}

async function addFromForm(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { body, log } = request;
  const parsed = newAccountSchema.safeParse(body);
  if (!parsed.success) return refused(context, request, 'wrong');
  log({ account: parsed.data.name, role: parsed.data.role });
  const added = await addAccount(
    context,
    // OPERATOR_PASSWORD is of no use once there is an account, also one that another browser makes now.
    { ...parsed.data, mustBeFirst: request.accountId === null },
    request,
  );
  if (typeof added === 'string') return refused(context, request, added);
  return showAccounts(context, { status: 201, made: { name: added.account.name, password: added.password } });
}

async function changeRole(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { role: typed } = (request.body ?? {}) as { role?: unknown };
  const role = ROLES.find((each) => each === typed);
  if (role === undefined) return refused(context, request, 'wrong');
  request.log({ role });
  return change('role', (_, name, author) => setRole(context, name, role, author))(context, request);
}

/** By a button: the page then says what has changed. */
function change(
  what: 'role' | 'disable' | 'end-sessions',
  act: (context: Context, name: string, author: Author) => Promise<{ name: string } | NotChanged>,
): OperatorRoute['handle'] {
  return async (context, request) => {
    const changed = await act(context, await nameOf(context, request), request);
    if (typeof changed === 'string') return refused(context, request, changed);
    return showAccounts(context, { changed: { name: changed.name, what } });
  };
}

async function reset(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const changed = await resetAccount(context, await nameOf(context, request), request);
  if (typeof changed === 'string') return refused(context, request, changed);
  return showAccounts(context, { made: { name: changed.account.name, password: changed.password } });
}

const STATUSES: Partial<Record<Problem, number>> = { wrong: 400, not_found: 404 };

function refused(context: Context, { log }: OperatorRequest, problem: Problem): Promise<OperatorAnswer> {
  log({ outcome: problem });
  return showAccounts(context, { status: STATUSES[problem] ?? 409, problem });
}

/** Empty if there is no such account; no account has that name. */
async function nameOf(context: Context, { params: { id = '' }, log }: OperatorRequest): Promise<string> {
  const account = isRowId(id) ? await findAccount(context, { id: BigInt(id) }) : null;
  if (account) log({ account: account.name });
  return account?.name ?? '';
}

const action = (name: ActionName, handle: OperatorRoute['handle']): OperatorRoute => ({
  method: 'post',
  path: `${ACCOUNTS_PATH}/:id/${name}`,
  role: 'admin',
  action: name,
  back: () => ACCOUNTS_PATH,
  handle,
});

export const ACCOUNT_PAGES = {
  path: ACCOUNTS_PATH,
  name: { ko: accountsKo.accounts.title, en: accountsEn.accounts.title },
  routes: [
    { method: 'get', path: ACCOUNTS_PATH, role: 'admin', handle: (context) => showAccounts(context, {}) },
    {
      method: 'post',
      path: ACCOUNTS_PATH,
      role: 'admin',
      action: 'add',
      back: () => ACCOUNTS_PATH,
      handle: addFromForm,
    },
    action('role', changeRole),
    action('disable', change('disable', disableAccount)),
    action('reset', reset),
    action('end-sessions', change('end-sessions', endSessions)),
  ] satisfies OperatorRoute[],
} satisfies OperatorPages;
