// What each event of the log means, and when to act. log-events.ts throws for an event of the code that is missing here.

export const LOG_MEANINGS: Readonly<Record<string, readonly [meaning: string, act: string]>> = {
  listening: ['The process takes requests', ''],
  stopping: ['The process was told to stop and lets requests finish', ''],
  not_started: ['The process could not start and has ended', 'At once'],
  stop_failed: ['The stop failed, and the process has ended', 'See `err`'],
  uncaught_exception: ['A mistake in the code has ended the process', 'At once; report it'],
  unhandled_rejection: [
    'A rejected promise that nothing handles has ended the process',
    'At once; report it',
  ],
  live_service_outside_production: [
    'A live service is used with settings of development',
    'Set what `fix` says',
  ],
  no_trusted_proxies: [
    'Production without `TRUSTED_PROXIES`: behind a proxy every notification would be refused',
    'Set what `fix` says, unless no proxy stands before it',
  ],
  built_in_members: [
    'Production with the built-in members',
    '[Your own sign-in](03-guides/1-own-sign-in.md), unless that is what you want',
  ],
  clock_differs: [
    'The clock of the host is off by more than two seconds; that of the database counts',
    'Set the clock',
  ],
  clock_not_adjusted: ['The database could not be asked for its time', 'It repeats'],
  jobs: ['A message of the job engine', '[It repeats](06-runbook.md#jobs-are-late-or-have-failed)'],
  jobs_not_started: [
    'The job engine has no database; it is tried again every 5 s',
    '[It repeats](06-runbook.md#jobs-are-late-or-have-failed)',
  ],
  jobs_wait_for_database: [
    'The job engine waits for the database',
    '[It repeats](06-runbook.md#jobs-are-late-or-have-failed)',
  ],
  jobs_connection_lost: ['A connection of the job engine broke; it takes another', 'It repeats'],
  gauges_not_read: [
    'The database did not answer `/metrics`',
    '[It repeats](06-runbook.md#a-process-is-down-or-not-ready)',
  ],
  request_failed: ['A request was answered 5xx', '[It repeats](06-runbook.md#requests-fail)'],
  page_refused: ['A page refused a forged form or a request of another site (403)', 'Many: somebody tries'],
  api_key_refused: [
    'A call without the key, with a wrong one, or with too many wrong ones',
    '[It repeats](06-runbook.md#somebody-guesses-a-key-or-a-password)',
  ],
  return_url_ignored: ['A link named a return address that is not allowed', 'Your own link is wrong'],
  webhook_source_not_listed: [
    'An address that is not listed has posted to the webhook',
    '[It repeats](06-runbook.md#the-webhook-refuses-its-sources)',
  ],
  webhook_sender_hidden: [
    'A refused sender may be a proxy that `TRUSTED_PROXIES` does not name',
    '[Set what `fix` says](06-runbook.md#the-webhook-refuses-its-sources)',
  ],
  notification_not_stored: ['A notification was answered 503', '[It repeats](06-runbook.md#requests-fail)'],
  notification_left_open: ['The check of a stored notification has failed and is made again', 'It repeats'],
  notification_retried: ['A notification was checked once more', ''],
  notifications_paced: [
    'Too many notifications name what we do not know',
    '[They wait](06-runbook.md#notification-queued)',
  ],
  retry_not_noted: [
    'The outcome of a retry could not be written; it is made again a minute later',
    'It repeats',
  ],
  service_probed: ['One notification was tried while the service does not answer', ''],
  service_answers_again: ['The service answers after an outage', ''],
  notifications_resumed: ['What waited for the service is due now', ''],
  service_asks_for_pause: [
    'The service has answered 429; no process asks it before `until`',
    'It repeats: ask the service about its limits',
  ],
  service_state_not_shared: ['The other processes could not be told of a pause or a return', 'It repeats'],
  discrepancy_noted: ['A new discrepancy', '[By kind](06-runbook.md#discrepancies)'],
  needs_review: ['Only a person can settle this attempt', '[Today](06-runbook.md#before-you-begin)'],
  attempt_recovered: ['A poll has found out what became of a lost answer', ''],
  outcome_not_written: ['After a call nothing could be written or read; the polls settle it', 'It repeats'],
  decision: ['A person has decided, by the JSON API or `npm run settle`', ''],
  operator_signed_in: ['Somebody has signed in to the operator pages', ''],
  operator_sign_in_failed: [
    'A wrong password, or too many of them; `by` is the name that was typed',
    '[It repeats](06-runbook.md#somebody-guesses-a-key-or-a-password)',
  ],
  operator_action: [
    'An operator looked again, refunded, sent an event again or noted; else the line `decision`',
    '',
  ],
  order_not_announced: ['The service was not told the amount of an order (`ANNOUNCE_ORDERS`)', 'It repeats'],
  order_event: ['The line that `shop/on-order-event.ts` writes as it is shipped', ''],
  order_event_handler_failed: [
    "The shop's own code has thrown",
    '[At once](06-runbook.md#events-are-not-delivered)',
  ],
  event_not_delivered: [
    'A target did not take an event; it is tried again',
    '[It repeats](06-runbook.md#events-are-not-delivered)',
  ],
  event_given_up: ['An event is not tried again', '[Send it again](06-runbook.md#events-are-not-delivered)'],
  event_delivery_not_enqueued: ['No job was enqueued; that of the next minute delivers', 'It repeats'],
  event_delivery_not_noted: ['A delivery was made and could not be written: it is made again', 'It repeats'],
  issued_card_not_confirmed: ['A key was issued and could not be looked up; it is polled for', ''],
  card_network_waits: [
    'Too many cards from this wide network were declined: it has to wait',
    '[Somebody tests cards](06-runbook.md#somebody-tests-cards)',
  ],
  card_challenge_asked: [
    "So many cards were declined that each needs the shop's challenge, where it has one",
    '[Somebody tests cards](06-runbook.md#somebody-tests-cards)',
  ],
  card_form_closed: [
    'A wave of declined cards has closed the form',
    '[Somebody tests cards](06-runbook.md#somebody-tests-cards)',
  ],
  removal_recovered: ['A card removal that was interrupted is done', ''],
  removal_unfinished: [
    'A card removal is not done; warn after ten minutes',
    '[Warn](06-runbook.md#billing-key-removing)',
  ],
  erasure_finished: ['Nothing personal of a member is left', 'Rows in `to_check`'],
  erasure_unfinished: ['An erasure waits; warn after a day', 'Warn: see `waiting`'],
  old_rows_deleted: ['What had been kept for long enough is deleted', ''],
  subscription_changed: ['A subscription was renewed, has failed, or has ended', ''],
  subscription_not_advanced: [
    'A step was not done; it is tried again',
    '[It repeats](06-runbook.md#subscriptions-are-overdue)',
  ],
  reconciliation: ["Our books were compared with the service's", '`complete` stays false'],
  reconciliation_not_possible: [
    'The service did not answer',
    '[It repeats](06-runbook.md#reconciliation-does-not-come-to-its-end)',
  ],
  reconciliation_under_way_elsewhere: ['Another process does it', ''],
  reconciliation_unreadable_records: [
    'Records that cannot be read were passed over',
    'Report it to the service',
  ],
  payment_repaired: ['A payment without a notification was stored', 'Many: notifications do not arrive'],
  payment_not_repaired: [
    'A payment that differs was not stored',
    '[As its notification](06-runbook.md#notifications)',
  ],
};
