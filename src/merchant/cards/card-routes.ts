// A member's pages: register a card, list, replace, remove. The story goes on in `register-card.ts`, the client of the
// payment service, and `billing-key-store.ts`.

import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Clock } from '../clock';
import type { Members } from '../current-member';
import { RequestFault } from '../errors';
import { readForm, refuseInQuery } from '../http/read-form';
import { noteForLog } from '../http/request-log';
import { linkIn, type Views } from '../http/views';
import { isCustomerUid } from '../payment-service/identifiers';
import type { BillingKeyStore } from './billing-key-store';
import { CARD_FIELDS, parseCardForm } from './card-form';
import { toCardList } from './card-list';
import { CONSENT } from './consent';
import { formPage, type FormPage } from './form-page';
import { issueFormToken, type FormPurpose } from './form-token';
import { openForm } from './posted-form';
import type { RegisterCard, RegistrationOutcome } from './register-card';
import type { RemoveCard } from './remove-card';

export type CardRoutesDependencies = {
  config: { formSecret: string; sandboxMode: boolean };
  clock: Clock;
  members: Members;
  views: Views;
  store: Pick<BillingKeyStore, 'findCards' | 'findKey'>;
  registerCard: RegisterCard;
  removeCard: RemoveCard;
  /** Before every page (`http/page-guard.ts`). */
  pageGuard: RequestHandler;
};

export function createCardRoutes(dependencies: CardRoutesDependencies): Router {
  const { config, clock, members, views, store, registerCard, removeCard, pageGuard } = dependencies;
  const router = Router({ strict: true, caseSensitive: true });
  router.use('/cards', pageGuard, neverStored, refuseInQuery(CARD_FIELDS));

  router.get('/cards/new', (request, response) => {
    sendForm(request, response, { memberId: members.welcomeMember(request, response), replaces: null });
  });

  router.post('/cards', ...readForm, (request, response) => submitCard(request, response, false));

  router.get('/cards', async (request, response) => {
    const memberId = members.currentMember(request);
    const now = clock.now();
    const cards = memberId === null ? [] : toCardList(await store.findCards(memberId), now);
    const removalToken = (customerUid: string) =>
      memberId && issueFormToken(config.formSecret, { customerUid, memberId, purpose: 'remove' }, now);
    views.send(request, response, {
      status: 200,
      template: 'cards',
      title: ({ list }) => list.title,
      data: { cards: cards.map((card) => ({ ...card, removalToken: removalToken(card.customerUid) })) },
    });
  });

  router.get('/cards/:customer_uid/replace', async (request, response) => {
    const { memberId, customerUid } = await ownKey(request, members.currentMember(request));
    sendForm(request, response, { memberId, replaces: customerUid });
  });

  router.post('/cards/:customer_uid/replace', ...readForm, (request, response) =>
    submitCard(request, response, true),
  );

  router.post('/cards/:customer_uid/remove', ...readForm, async (request, response) => {
    const form = open(request, 'remove');
    if (form.expired) throw new RequestFault(410, 'form_expired', 'The form has expired.');
    const outcome = await removeCard(await keyOf(form.customerUid, form.memberId));
    noteForLog(response, { customer_uid: form.customerUid, outcome });
    switch (outcome) {
      case 'removed':
        return response.redirect(303, linkIn(request, '/cards'));
      case 'in_use':
        throw new RequestFault(409, 'key_in_use', 'A card is on its way to this key.');
      case 'cannot_now':
        throw new RequestFault(503, 'cannot_remove_now', 'The payment service did not delete the key.');
    }
  });

  router.all('/cards', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/new', methodNotAllowed('GET, HEAD'));
  router.all('/cards/:customer_uid/replace', methodNotAllowed('GET, HEAD, POST'));
  router.all('/cards/:customer_uid/remove', methodNotAllowed('POST'));
  return router;

  function sendForm(request: Request, response: Response, page: FormPage): void {
    const isCompany = (request.body as { card_holder?: unknown } | undefined)?.card_holder === 'company';
    views.send(request, response, formPage(config, { ...page, isCompany }, clock.now()));
  }

  function open(request: Request, purpose: FormPurpose) {
    const memberId = members.currentMember(request);
    const pathCustomerUid = request.params['customer_uid'] as string | undefined;
    const source = { memberId, pathCustomerUid, body: request.body as unknown };
    return openForm(source, purpose, config.formSecret, clock.now());
  }

  /** A card for a new customer_uid, or for one that holds a key already (§1): the same rules, the same use case. */
  async function submitCard(request: Request, response: Response, replacesKey: boolean): Promise<void> {
    const form = open(request, replacesKey ? 'replace' : 'register');
    const { memberId, customerUid } = form;
    const page = { memberId, replaces: replacesKey ? customerUid : null };
    if (replacesKey) await ownKey(request, memberId);
    if (form.expired) return sendForm(request, response, { ...page, status: 410, notice: 'expired' });
    const fields = parseCardForm(request.body, clock.now());
    if ('problems' in fields) return sendForm(request, response, { ...page, status: 400, ...fields });

    const { card } = fields;
    const registration = {
      customerUid,
      memberId,
      formNonce: form.nonce,
      replacesKey,
      consent: CONSENT,
      card,
    };
    const outcome = await registerCard(registration);
    noteForLog(response, { customer_uid: customerUid, outcome: outcome.kind });
    answer(request, response, page, outcome);
  }

  function answer(
    request: Request,
    response: Response,
    page: { memberId: string; replaces: string | null },
    outcome: RegistrationOutcome,
  ): void {
    switch (outcome.kind) {
      case 'registered':
        return response.redirect(303, linkIn(request, '/cards'));
      case 'declined': {
        // One text and one status for every reason: the form is no place to try out cards (K5).
        const { serviceMessage } = outcome;
        return sendForm(request, response, { ...page, status: 400, notice: 'declined', serviceMessage });
      }
      case 'unknown':
        return views.send(request, response, {
          status: 202,
          template: 'card-pending',
          title: ({ pending }) => pending.title,
          path: '/cards',
        });
      case 'cannot_start':
        response.set('Retry-After', '30');
        return sendForm(request, response, { ...page, status: 503, notice: 'cannot_start' });
      case 'in_use':
        throw new RequestFault(409, 'form_in_use', 'This form was sent before.');
      case 'no_key':
        throw notFound();
    }
  }

  /** The key that the path names, for a member who may put another card under it. */
  async function ownKey(request: Request, memberId: string | null) {
    const key = await keyOf(String(request.params['customer_uid']), memberId);
    if (key.status !== 'active' && key.status !== 'needs_review') throw notFound();
    return key;
  }

  async function keyOf(customerUid: string, memberId: string | null) {
    // What can be no customer_uid is not looked for: the database refuses some of it, NUL for one.
    const key = isCustomerUid(customerUid) ? await store.findKey(customerUid) : null;
    if (!key) throw notFound();
    if (key.memberId !== memberId) throw new RequestFault(403, 'foreign_key', 'This card is not yours.');
    return key;
  }
}

const notFound = () => new RequestFault(404, 'no_such_card', 'There is no such card.');

/** Neither a proxy nor the back button keeps a page with a form of this member. */
const neverStored: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

function methodNotAllowed(allow: string): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allow);
    throw new RequestFault(405, 'method_not_allowed', `Allowed: ${allow}.`);
  };
}
