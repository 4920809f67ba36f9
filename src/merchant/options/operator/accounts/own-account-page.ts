// The page of one's own account: another password, and the set-up of the second factor.

import { z } from 'zod';
import type { Context } from '../../../platform/context';
import { strictBody } from '../../../platform/http/body-fields';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from '../frame/page';
import { changeOwnPassword, setUpSecondFactor, type NotChanged } from './manage-accounts';
import { base32, decryptSecret, encryptSecret, inGroups, newSecret, otpauthUri } from './second-factor';
import { forgetOwnGuesses, mayGuessOwn } from './sign-in-limits';
import { findAccount } from './store';

export const OWN_PATH = '/operator/me';

type Shown = {
  status?: number;
  problem?: NotChanged | 'wrong_password' | 'not_new' | 'wrong_code' | 'too_many';
  isPasswordChanged?: boolean;
  recoveryCodes?: readonly string[];
  /** The secret of the refused form, so that the app need not be set up again. */
  encrypted?: string;
};

async function showOwnAccount(
  context: Context,
  { by, session, log }: OperatorRequest,
  { status = 200, encrypted, ...shown }: Shown = {},
): Promise<OperatorAnswer> {
  const { config } = context;
  if (shown.problem) log({ outcome: shown.problem });
  // A proxy that signs in has passwords and second factors of its own.
  const account = session === null ? null : await findAccount(context, { name: by });
  const secret =
    account === null || account.totpSecret !== null
      ? null
      : (encrypted && decryptSecret(config, account.id, encrypted)) || newSecret();
  const issuer = config.shop.name ?? new URL(config.publicUrl ?? 'http://localhost').hostname;
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
      setUp: account &&
        secret && {
          encrypted: encryptSecret(config, account.id, secret),
          secret: inGroups(base32(secret)),
          uri: otpauthUri(secret, { issuer, name: by }),
        },
      problem: null,
      isPasswordChanged: false,
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

const secondFactorSchema = strictBody({ secret: z.string().max(200), code: z.string().max(20) });

async function confirmSecondFactor(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { session } = request;
  const typed = secondFactorSchema.safeParse(request.body);
  if (session === null || !typed.success)
    return showOwnAccount(context, request, { status: 400, problem: 'wrong_code' });
  const { secret: encrypted, code } = typed.data;
  const confirmed = { encrypted, code: code.replace(/\s/g, '') };
  const recoveryCodes = await setUpSecondFactor(context, request, confirmed);
  if (recoveryCodes === null)
    return showOwnAccount(context, request, { status: 403, problem: 'wrong_code', encrypted });
  return showOwnAccount(context, request, { recoveryCodes });
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
];
