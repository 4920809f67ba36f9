// The form of the sign-in, and where it leads.

import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { Context } from '../../../platform/context';
import { shownLine, strictBody } from '../../../platform/http/body-fields';
import { addLogFields, sentFrom } from '../../../platform/http/log-fields';
import { readForm } from '../../../platform/http/page-request';
import { linkIn } from '../../../platform/http/views';
import { settingsOf } from '../../../platform/settings';
import type { OperatorPage } from '../frame/page';
import { operatorSettings } from '../settings';
import { signIn } from './sign-in';
import { signInByLink } from './sign-in-by-link';

const signInSchema = strictBody({
  by: shownLine(64),
  password: z.string().max(1000),
  code: z.string().max(64).default(''),
  to: z.string().optional(),
});

export function signInRoutes(
  context: Context,
  send: (request: Request, response: Response, page: OperatorPage) => void,
): Router {
  const router = Router({ strict: true, caseSensitive: true });
  if (settingsOf(context.config, operatorSettings).OPERATOR_IDENTITY_HEADER !== undefined) {
    router.get('/operator/sign-in', (request, response) =>
      response.redirect(303, linkIn(request, '/operator')),
    );
    return router;
  }
  router.get('/operator/sign-in', async (request, response) => {
    // Every other page redirects search engines to this one.
    response.set('X-Robots-Tag', 'noindex, nofollow');
    const { to, link } = request.query;
    if (typeof link !== 'string' || !context.config.sandboxMode)
      return send(request, response, signInPage({ to }));
    const isLocal = LOOPBACK.has(request.socket.remoteAddress ?? '');
    const cookie = await signInByLink(context, { link, isLocal, sent: sentFrom(request) });
    if (cookie === null)
      return send(request, response, signInPage({ to, status: 403, problem: 'link_ended' }));
    response.append('Set-Cookie', cookie);
    // No page stands under the address of the link, so that no other address learns it.
    response.redirect(303, linkIn(request, '/operator'));
  });
  router.post('/operator/sign-in', ...readForm, async (request, response) => {
    const { to } = (request.body ?? {}) as { to?: unknown };
    const typed = signInSchema.safeParse(request.body);
    if (!typed.success) {
      const problem = typed.error.issues.some(({ path }) => path[0] === 'by') ? 'by' : 'password';
      return send(request, response, signInPage({ to, status: 400, problem }));
    }
    const { by, password, code } = typed.data;
    const address = request.source.client;
    const outcome = await signIn(context, { by, password, code, address, sent: sentFrom(request) });
    addLogFields(response, { outcome: outcome.kind });
    switch (outcome.kind) {
      case 'signed_in':
        response.append('Set-Cookie', outcome.cookie);
        return response.redirect(303, linkIn(request, placeOf(to)));
      case 'wrong_password': {
        const problem = outcome.withAccount ? 'wrong_account' : 'wrong_password';
        return send(request, response, signInPage({ to, by, status: 403, problem }));
      }
      case 'too_many':
        response.set('Retry-After', String(outcome.retryAfterSeconds));
        return send(
          request,
          response,
          signInPage({ to, by, status: 429, problem: outcome.isBusy ? 'busy' : 'too_many' }),
        );
    }
  });
  return router;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

type SignInProblem =
  | 'by'
  | 'password'
  | 'wrong_password'
  | 'wrong_account'
  | 'too_many'
  | 'busy'
  | 'signed_out'
  | 'link_ended';
type SignInPage = { to?: unknown; by?: string; status?: number; problem?: SignInProblem };

export function signInPage({ to, by = '', status = 200, problem }: SignInPage): OperatorPage {
  return {
    status,
    template: 'sign-in',
    title: ({ operator }) => operator.signIn.title,
    place: null,
    isError: problem !== undefined,
    data: { to: placeOf(to), name: by, problem: problem ?? null },
  };
}

/** The redirect target of a sign-in: always one of the operator pages, whatever the query says. */
function placeOf(to: unknown): string {
  return typeof to === 'string' &&
    /^\/operator(\/[\w./-]*)?(\?[\w%&=.,:+-]*)?$/.test(to) &&
    !to.includes('..')
    ? to
    : '/operator';
}
