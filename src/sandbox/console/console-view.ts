// The values that the template of the console shows.

import type { Request } from 'express';
import { testCards } from '../billing-keys/test-cards';
import type { ControlContext } from '../controls/control-context';
import type { Locale } from '../locales/ko';
import { isSandboxAlone } from '../pages/moved-clock';
import { curlOf } from '../stories/scene';
import { STORIES } from '../stories/stories';
import { doForms, type Form } from './do-forms';
import { faultFields, randomFaultFields, settingFields } from './drawer-forms';
import { viewHappened } from './happened';
import type { Fields, PressResult } from './press';
import { placesOf } from './scene-of';
import { findPayments, viewStream } from './stream-view';
import { amountText, localInput, timeText } from './texts';
import { keptQuery } from './view-address';

const MAX_WAITING = 8;

/** A failed action. It is shown at its form, with the values that were entered. */
export type Problem = { form: string; status: number; reason: string; fields: Fields };

export function viewConsole(
  context: ControlContext,
  request: Request,
  t: Locale,
  { result, problem }: { result: PressResult | null; problem: Problem | null },
) {
  const { service, faults } = context;
  const { clock, timeline, settings } = service;
  const places = placesOf(request, service);
  const newOrder = `order-${clock.now()}-${service.payments.count() + 1}`;
  const canRegister = places.merchant !== null;
  const recent = findPayments(context, { q: '', show: 'all' });
  const forms = doForms({ newOrder, payments: recent, canRegister }, t);
  const body = { merchant_uid: newOrder, name: 'Tea', amount: 1000 };
  const windowHref = (fields: Record<string, string>) =>
    `/window?${new URLSearchParams({ merchant_uid: newOrder, ...fields, return_url: `${places.sandboxUrl}/console` }).toString()}`;
  return {
    ...clockView(context, t),
    hasNext: timeline.nextMs() !== undefined,
    forms: forms.map((form) => asTyped(form, problem)),
    isLinked: canRegister,
    registerCurl: curlOf(places, { to: 'merchant', method: 'POST', path: '/api/orders', body }),
    settingFields: settingFields(settings.get(), t),
    faultFields: faultFields(faults, t),
    randomFaultFields: randomFaultFields(t),
    faults: faults.list(),
    testCards: testCards.map((card) => ({ ...card, label: t.lang === 'ko' ? card.label_ko : card.label_en })),
    windows: {
      pay: windowHref({ amount: '1000' }),
      key: windowHref({ amount: '0', customer_uid: `${newOrder}-key` }),
    },
    stories: STORIES.map(({ name }) => ({ name, title: t.stories.stories[name].title })),
    stream: viewStream(context, request, t),
    query: keptQuery(request),
    result,
    happened: result?.happened ? viewHappened(service, result.happened, t) : null,
    problem,
  };
}

/** The clock and the next events: scheduled payments and resent notifications. */
function clockView({ service }: ControlContext, t: Locale) {
  const now = service.clock.now();
  const schedules = service.schedules
    .find({ from: 0, to: Infinity, status: 'scheduled' })
    .map(({ scheduleAt, merchantUid, amount, currency }) => ({
      seconds: scheduleAt,
      text: `${t.console.clock.schedule} ${merchantUid}, ${amountText(amount, currency, t)}`,
    }));
  const resends = service.notifier.list().flatMap(({ next_attempt_ms, svc_uid }) =>
    next_attempt_ms === null
      ? []
      : [
          {
            seconds: Math.ceil(next_attempt_ms / 1000),
            text: `${t.console.clock.resend} ${svc_uid ?? ''}`,
          },
        ],
  );
  return {
    now: timeText(now, now, t),
    isSandboxAlone: isSandboxAlone(service),
    isFollowed: service.shopClock.isFollowed(),
    dateInput: localInput(now + 3600),
    waiting: [...schedules, ...resends]
      .sort((one, other) => one.seconds - other.seconds)
      .slice(0, MAX_WAITING)
      .map(({ seconds, text }) => ({ text, at: timeText(seconds, now, t) })),
  };
}

/** A refused form keeps the values that were entered. */
function asTyped(form: Form, problem: Problem | null): Form {
  if (problem?.form !== form.id) return form;
  const typed = <Field extends { name: string; value: string }>(field: Field): Field => {
    const value = problem.fields[field.name];
    return typeof value === 'string' ? { ...field, value } : field;
  };
  return { ...form, fields: form.fields.map(typed), more: form.more.map(typed) };
}
