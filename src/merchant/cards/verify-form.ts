// A posted form was made by us, for this member, this key and this purpose. This is verified before anything else of the
// form is read, and before its customer_uid is used for anything.

import type { Context } from '../context';
import { HttpError } from '../errors';
import { checkFormToken, type FormPurpose } from './form-token';

export type PostedForm = {
  /** Null means a stranger. */
  memberId: string | null;
  /** The key that the path names; undefined where the path names none. */
  pathCustomerUid: string | undefined;
  purpose: FormPurpose;
  body: unknown;
};

export type VerifiedForm = { memberId: string; customerUid: string } & (
  { expired: false; nonce: string } | { expired: true }
);

/**
 * Checks the hidden fields of the form (§1).
 * @throws HttpError 403 `forged_form`
 */
export function verifyForm({ config, clock }: Context, posted: PostedForm): VerifiedForm {
  const { memberId, pathCustomerUid, purpose } = posted;
  const fields = (posted.body ?? {}) as { customer_uid?: unknown; form_token?: unknown };
  const customerUid = fields.customer_uid;
  if (memberId === null || typeof customerUid !== 'string') throw new HttpError('forged_form');
  if (pathCustomerUid !== undefined && pathCustomerUid !== customerUid) throw new HttpError('forged_form');
  const subject = { customerUid, memberId, purpose };
  const check = checkFormToken(config.formSecret, subject, fields.form_token, clock.now());
  switch (check.result) {
    case 'ok':
      return { memberId, customerUid, expired: false, nonce: check.nonce };
    case 'expired':
      return { memberId, customerUid, expired: true };
    case 'forged':
      throw new HttpError('forged_form');
  }
}
