// English texts of every operator page: the navigation, what was done, and why something failed.

import type { frameKo } from './texts.ko';

export const frameEn: typeof frameKo = {
  name: 'Operations',
  description: 'Pages for operators: payments, and what needs review.',
  placesLabel: 'Operator pages',
  placeGroups: { money: 'Payments', customers: 'Customers', records: 'Records', settings: 'Settings' },
  signOut: 'Sign out',
  footer: 'Times are in KST (Seoul).',
  places: {
    overview: 'Overview',
    actionQueue: 'Action queue',
    orders: 'Orders',
    payments: 'Payments',
    refunds: 'Refunds',
    keys: 'Cards',
    charges: 'Charges',
    issuances: 'Registrations',
    discrepancies: 'Discrepancies',
    notifications: 'Notifications',
    events: 'Events',
  },
  things: { order: 'Order', payment: 'Payment', member: 'Customer' },
  groups: { members: 'Customers', planned: 'Planned payments' },
  figures: {},
  done: {
    settled: 'Resolved. The list shows who resolved it, when and why.',
    refunded: 'The payment was refunded.',
    refund_unknown:
      'The outcome of the refund is not known yet. The payment service is being asked: do not refund again.',
    refund_requested: 'The refund was requested. It is made once another operator approves it.',
    refund_rejected: 'The refund request was rejected. No money was moved.',
    recorded: 'Re-checked: our record is updated.',
    unchanged: 'Re-checked: nothing to change.',
    queued: 'The payment could not be verified now. Its record and its order are as before.',
    mismatch:
      'Re-checked: the payment service shows no payment that matches the order. A discrepancy was recorded.',
    replayed: 'The event is being sent again. Reload the page in a moment to see the result.',
    dispute_entered: 'The dispute was entered and waits in the action queue.',
    noted: 'The note was saved. This does not resolve the item.',
  },
  failed: {
    title: 'The request failed',
    notFound: 'Not found',
    other: 'Go back and try again. If the request fails again, search the log for the request ID.',
    filter: 'This filter cannot be applied. Change or clear it and search again.',
    nothing: 'Nothing was resolved, and no money was moved.',
    typed: 'What you typed:',
    toForm: 'Back to what you typed',
    serviceSays: 'The payment service says:',
    field: 'Correct it or leave it out:',
    unknownField: 'The form had an unknown field. Open the page again.',
    fields: {
      amount: 'Enter the amount as a whole number such as 1000 or 1,000.',
      amount_of_all: 'To refund an amount, choose a part. To refund all of it, leave the amount empty.',
      tax_free: 'Enter the tax-free part as a whole number, at most the amount to refund.',
      how: 'Choose whether all or a part is refunded.',
      resolution: 'Choose a resolution.',
      member_id: 'Enter the customer only to give the key to a customer.',
      outcome: 'Choose what happened.',
      checksum: 'Open the page again.',
      reason: 'Enter the reason in one line of at most 256 characters.',
      note: 'Enter the note in one line of at most 500 characters.',
      refund_account: 'Enter account holder, bank and account number.',
      id: 'Select at least one, and at most a hundred.',
      after: 'Open the list from its first page.',
    },
    afterwards: {
      refund_needs_review: 'The refund may have been executed. Check the list of refunds before you go on.',
      internal_error: 'Check the lists for the result before you try again.',
      database_unavailable: 'Check the lists for the result before you try again.',
      value_refused: 'Check the lists for the result before you try again.',
    },
    back: 'Go back',
    codes: {
      invalid_request: 'A value is not valid. Correct it and try again.',
      not_found: 'This page does not exist. Use the menu above.',
      order_not_found: 'There is no such order. Find it in the list of orders.',
      payment_not_found: 'There is no such payment. Find it in the list of payments or of notifications.',
      billing_key_in_use: 'A registration of this card is not finished. Try again in a while.',
      billing_key_not_removed: 'The payment service has not confirmed the deletion. Try again in a while.',
      billing_key_of_member:
        'The key is a card of a customer already. Choose “False alarm”, or remove that card.',
      discrepancy_without_key: 'This discrepancy names no billing key.',
      discrepancy_not_found: 'There is no such discrepancy. Find it in the list of discrepancies.',
      charge_not_found: 'There is no such charge. Find it in the list of charges.',
      refund_not_found: 'There is no such refund. Find it in the list of refunds.',
      issuance_not_found: 'There is no such card registration. Find it in the list of card registrations.',
      event_not_found: 'There is no such event. Find it in the list of events.',
      already_settled:
        'This was already resolved, by another person or automatically. The list shows who resolved it, when and why.',
      attempt_pending: 'The outcome is still being polled for. Check again in a while.',
      service_contradicts:
        'The payment service shows something that contradicts this. Compare it with the console of the service, and record what happened.',
      order_scheduled: 'The charge is scheduled. Revoke its schedule first.',
      refund_refused: 'The payment service refused the refund. Read its reason and check the payment.',
      service_refused:
        'The payment service refused the request. Read its reason: the same request will be refused again.',
      service_not_found: 'The payment service does not know this ID. Check it.',
      service_unauthorized: 'The payment service refused our own credentials. Run npm run doctor.',
      service_bad_answer:
        'The response of the payment service cannot be read. Try again in a while; the log has the details.',
      service_unavailable:
        'The payment service gave no answer that can be used, or asks for a pause. Try again in a while.',
      database_unavailable: 'The database cannot be used now. Try again in a while; the log has the reason.',
      value_refused:
        'The database refuses a value, and would refuse it again. Use other characters, or search the log for the request ID.',
      internal_error: 'This is an error of the server. Search the log for the request ID.',
      nothing_to_cancel: 'Nothing is left to refund. Check below whether the payment was already refunded.',
      balance_differs: 'The refundable balance has changed since the page was opened. Open the page again.',
      amount_exceeds_balance: 'The amount is more than the refundable balance. Enter at most what is left.',
      refund_pending:
        'The outcome of another refund of this payment is not known yet. Check again in a while.',
      refund_needs_review:
        'The cancelled amount differs from what was expected. The refund of this payment needs review.',
      discrepancy_not_refundable:
        'A discrepancy of this kind cannot be refunded. Resolve it without a refund.',
      svc_uid_unusable:
        'The service shows this payment without an ID that can be used in a request. Use the console of the service, and resolve it here.',
      refund_amount_unknown:
        'The service shows no whole amount, so the refund limit cannot be applied. Refund it in the console of the service, and choose “Already refunded”.',
      payment_pays_order: 'The payment pays for an order. To refund it anyway, use the page of the payment.',
      payment_not_judged: 'The payment cannot be verified now. Try again later.',
      role_missing: 'Your role does not allow this. Ask an administrator.',
      refund_request_not_found: 'There is no such refund request. Find it in the action queue.',
      refund_request_waiting:
        'A refund of this payment already waits for approval. Resolve that one in the action queue first.',
      refund_request_outdated:
        'The refundable balance has changed since the refund was requested. Reject the request, and request it again.',
      passwords_busy: 'Too many passwords are being checked at this moment. Try again in a few seconds.',
      same_operator: 'You have requested this refund, so another operator has to approve it.',
      approver_not_independent:
        'Within a day, one of you has made or changed the account of the other, or somebody has changed both, so you do not count as two people. Ask another operator, or wait for a day.',
      approver_unknown:
        'The request or the approval was made without an account, so nobody knows whether two people agree. Make accounts for operators, and request the refund again.',
      password_temporary: 'Change your temporary password first, under your name above.',
      account_missing: 'Make the first account at “Operator accounts”, and sign in with it.',
      second_factor_missing: 'Set up your second factor first, under your name above.',
      operator_unknown:
        'The proxy in front named no account in use. Come through the proxy, and ask an administrator for an account.',
      cross_site: 'The request came from another site and was refused. Open this page and try again.',
      foreign_host: 'This host name is not served. Open the page under PUBLIC_URL.',
    },
  },
};
