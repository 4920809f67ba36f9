// The page of one's own account: another password, and the set-up of the second factor.

import { z } from 'zod';
import type { Context } from '../../../platform/context';
import { strictBody } from '../../../platform/http/body-fields';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from '../frame/page';
import { changeOwnPassword, setUpSecondFactor, type NotChanged } from './manage-accounts';
import { base32, inGroups, otpauthUri, qrCode, secretsOf } from './second-factor';
import { forgetOwnGuesses, mayGuessOwn } from './sign-in-limits';
import { deleteOtherSessions, findAccount, findSessionsOf } from './store';

export const OWN_PATH = '/operator/me';

type Shown = {
  status?: number;
  problem?: NotChanged | 'wrong_password' | 'not_new' | 'wrong_code' | 'too_many';
  isPasswordChanged?: boolean;
  recoveryCodes?: readonly string[];
  hasEndedSessions?: boolean;
};

async function showOwnAccount(
  context: Context,
  { by, session, log }: OperatorRequest,
  { status = 200, ...shown }: Shown = {},
): Promise<OperatorAnswer> {
  const { config } = context;
  if (shown.problem) log({ outcome: shown.problem });
  // A proxy that signs in has passwords and second factors of its own.
  const account = session === null ? null : await findAccount(context, { name: by });
  const sessions = account && (await findSessionsOf(context, account.id));
  const [secret] = account?.totpSecret === null ? secretsOf(config, account) : [];
  const issuer = config.shop.name ?? new URL(config.publicUrl ?? 'http://localhost').hostname;
  const uri = secret && otpauthUri(secret, { issuer, name: by });
  return toPage({
    status,
    template: 'own-account',
    title: ({ operator }) => operator.accounts.own.title,
    place: 'me',
    isError: shown.problem !== undefined,
    data: {
      isByProxy: session === null,
      account: account && { role: account.role, codesLeft: account.recoveryCodes.length },
      mustChange: account?.mustChange ?? false,
      isRequired: config.production,
      setUp: secret && uri ? { secret: inGroups(base32(secret)), uri, qrCode: qrCode(uri) } : null,
      sessions: sessions?.map(({ tokenHash, ...times }) => ({ ...times, isHere: tokenHash === session })),
      problem: null,
      isPasswordChanged: false,
      hasEndedSessions: false,
      recoveryCodes: null,
      ...shown,
    },
  });
}

const passwordSchema = strictBody({ current: z.string().max(1000), next: z.string().max(1000) });

async function changePassword(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { by, session } = request;
  const typed = passwordSchema.safeParse(request.body);
  if (session === null || !typed.success)
    return showOwnAccount(context, request, { status: 400, problem: 'wrong_password' });
  // A person at a browser that was left signed in must not be able to guess the password.
  if (!(await mayGuessOwn(context, by)))
    return showOwnAccount(context, request, { status: 429, problem: 'too_many' });
  const changed = await changeOwnPassword(context, request, typed.data);
  if (changed !== 'wrong_password') await forgetOwnGuesses(context, by);
  if (typeof changed === 'string')
    return showOwnAccount(context, request, {
      status: changed === 'wrong_password' ? 403 : 400,
      problem: changed,
    });
  return showOwnAccount(context, request, { isPasswordChanged: true });
}

const secondFactorSchema = strictBody({ code: z.string().max(20) });

async function confirmSecondFactor(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { session } = request;
  const typed = secondFactorSchema.safeParse(request.body);
  if (session === null || !typed.success)
    return showOwnAccount(context, request, { status: 400, problem: 'wrong_code' });
  const recoveryCodes = await setUpSecondFactor(context, request, typed.data.code.replace(/\s/g, ''));
  if (recoveryCodes === null) return showOwnAccount(context, request, { status: 403, problem: 'wrong_code' });
  return showOwnAccount(context, request, { recoveryCodes });
}

/** Of the other browsers. */
async function endOtherSessions(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { accountId, session } = request;
  if (accountId !== null && session !== null) await deleteOtherSessions(context, accountId, session);
  return showOwnAccount(context, request, { hasEndedSessions: true });
}

export const OWN_ACCOUNT_ROUTES: readonly OperatorRoute[] = [
  { method: 'get', path: OWN_PATH, handle: (context, request) => showOwnAccount(context, request) },
  { method: 'post', path: `${OWN_PATH}/password`, role: 'view', action: 'password', handle: changePassword },
  {
    method: 'post',
    path: `${OWN_PATH}/second-factor`,
    role: 'view',
    action: 'second-factor',
    handle: confirmSecondFactor,
  },
  {
    method: 'post',
    path: `${OWN_PATH}/end-sessions`,
    role: 'view',
    action: 'end-sessions',
    handle: endOtherSessions,
  },
];
