// The card-entry form as a page. Each one is a new form: a fresh customer_uid, a fresh nonce, and empty fields, because
// nothing of a card that was typed is ever sent back. Pure but for the random ids.

import { randomUUID } from 'node:crypto';
import type { Page } from '../http/views';
import { FORM_FIELDS, type FieldProblems } from './card-form';
import { issueFormToken } from './form-token';
import { sandboxCards } from './sandbox-cards';

export type FormPage = {
  memberId: string;
  /** The key whose card is replaced; null for a new card. */
  replaces: string | null;
  status?: number;
  problems?: FieldProblems;
  notice?: 'declined' | 'expired' | 'cannot_start';
  /** The service's own words, shown under "details" only. */
  serviceMessage?: string | null;
  /** The radio button steers label and hint of one field; it decides nothing. */
  isCompany?: boolean;
};

export function formPage(
  config: { formSecret: string; sandboxMode: boolean },
  { memberId, replaces, status = 200, problems = {}, notice, serviceMessage, isCompany = false }: FormPage,
  now: Date,
): Page {
  // A distinct customer_uid for each card (§1).
  const customerUid = replaces ?? `card_${randomUUID().replaceAll('-', '')}`;
  const purpose = replaces === null ? 'register' : 'replace';
  const action = replaces === null ? '/cards' : `/cards/${replaces}/replace`;
  return {
    status,
    template: 'card-form',
    title: ({ form }) => (replaces === null ? form.registerTitle : form.replaceTitle),
    isError: status >= 400,
    path: replaces === null ? '/cards/new' : action,
    data: {
      action,
      isReplacement: replaces !== null,
      customerUid,
      formToken: issueFormToken(config.formSecret, { customerUid, memberId, purpose }, now),
      isCompany,
      problems,
      problemFields: FORM_FIELDS.filter((field) => problems[field]),
      notice,
      serviceMessage,
      testCards: config.sandboxMode ? sandboxCards : [],
    },
  };
}
