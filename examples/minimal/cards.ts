// A member registers a card: the form, its post, the issuance, the mapping.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Eta } from 'eta';
import express, { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { Context } from './context';
import { kindOf } from './payment-service';

const eta = new Eta({ views: join(__dirname, 'views') });

const formSchema = z.object({
  customer_uid: z.string().regex(/^card_[0-9a-f-]{36}$/),
  card_number: z
    .string()
    .regex(/^[0-9]{4}([ -]?[0-9]{4}){3}$/)
    .transform((text) => text.replace(/[ -]/g, '').replace(/(....)(?=.)/g, '$1-')),
  expiry: z
    .string()
    .regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/)
    .refine((month) => month >= new Date().toISOString().slice(0, 7)),
  birth: z.string().regex(/^([0-9]{6}|[0-9]{10})$/),
  pwd_2digit: z.string().regex(/^[0-9]{2}$/),
  agree_terms: z.literal('on'),
  agree_privacy: z.literal('on'),
});

/** Who has signed in? Ask your session here. */
const currentMember = (_request: Request) => 'member-1';

type View = { problems?: string[]; notice?: 'declined' | 'already_used' | 'unavailable' | 'registered' };

function showForm(request: Request, response: Response, status: number, view: View = {}) {
  const isEnglish = request.query['lang'] === 'en';
  // A new customer_uid for each card (§1). What was typed is not shown again.
  const page = { problems: [], notice: null, isEnglish, customerUid: `card_${randomUUID()}`, ...view };
  response.status(status).set('Cache-Control', 'no-store').send(eta.render('card-form', page));
}

export function cardRoutes({ database, service, logger }: Context): Router {
  const routes = Router();

  routes.get('/new', (request, response) =>
    showForm(request, response, 200, request.query['registered'] === '1' ? { notice: 'registered' } : {}),
  );

  routes.post('/', express.urlencoded(), async (request, response) => {
    const form = formSchema.safeParse(request.body ?? {});
    if (!form.success) {
      const problems = form.error.issues.map(({ path }) => String(path[0]));
      return showForm(request, response, 400, { problems });
    }
    const { customer_uid: customerUid, card_number, expiry, birth, pwd_2digit } = form.data;
    try {
      // The browser may send any customer_uid. One that is in use would replace somebody's card (§1).
      const where = { customerUid };
      if (await database.billingKey.findUnique({ where }))
        return showForm(request, response, 409, { notice: 'already_used' });
      const key = await service.issueBillingKey(customerUid, { card_number, expiry, birth, pwd_2digit });
      if (!key) return showForm(request, response, 400, { notice: 'declined' });
      // A form that is sent twice at once has one row, and the key of the card that came last.
      const data = { memberId: currentMember(request), cardName: key.cardName };
      await database.billingKey.upsert({ where, create: { customerUid, ...data }, update: data });
    } catch (error) {
      logger.error(kindOf(error), 'issuance failed');
      return showForm(request, response, 503, { notice: 'unavailable' });
    }
    response.redirect(303, `/cards/new?registered=1${request.query['lang'] === 'en' ? '&lang=en' : ''}`);
  });

  return routes;
}
