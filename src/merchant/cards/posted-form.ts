// A posted form of ours: who sent it, for which key, and that it was made for exactly that. Checked before anything else
// of it is looked at, and before its customer_uid is used for anything.

import { RequestFault } from '../errors';
import { checkFormToken, type FormPurpose } from './form-token';

export type PostedForm =
  | { memberId: string; customerUid: string; expired: false; nonce: string }
  | { memberId: string; customerUid: string; expired: true };

export type FormSource = {
  memberId: string | null;
  /** The key that the path names; undefined where the path names none. */
  pathCustomerUid: string | undefined;
  body: unknown;
};

/**
 * Checks the hidden fields of §1 step 1.
 * @throws RequestFault 403 where the form was not made by us for this member, this key and this purpose
 */
export function openForm(
  source: FormSource,
  purpose: FormPurpose,
  formSecret: string,
  now: Date,
): PostedForm {
  const fields = (source.body ?? {}) as { customer_uid?: unknown; form_token?: unknown };
  const { memberId, pathCustomerUid } = source;
  const customerUid = fields.customer_uid;
  if (memberId === null || typeof customerUid !== 'string') throw forged();
  if (pathCustomerUid !== undefined && pathCustomerUid !== customerUid) throw forged();
  const check = checkFormToken(formSecret, { customerUid, memberId, purpose }, fields.form_token, now);
  switch (check.result) {
    case 'ok':
      return { memberId, customerUid, expired: false, nonce: check.nonce };
    case 'expired':
      return { memberId, customerUid, expired: true };
    case 'forged':
      throw forged();
  }
}

const forged = () => new RequestFault(403, 'forged_form', 'This form was not made for you.');
