// The meaning of each log event, and when to act. log-events.ts throws if an event of the code is missing here.

export const LOG_MEANINGS: Readonly<Record<string, readonly [meaning: string, act: string]>> = {
  listening: ['The process takes requests', ''],
  stopping: ['The process finishes open requests, and ends', ''],
  not_started: ['The process could not start and has ended', 'At once'],
  stop_failed: ['The stop failed, and the process has ended', 'See `err`'],
  uncaught_exception: ['A bug has ended the process', 'At once; report it'],
  unhandled_rejection: ['A bug (a rejected promise) has ended the process', 'At once; report it'],
  live_service_outside_production: [
    'A live service is used with development settings',
    'Set what `fix` says',
  ],
  proxy_not_used: [
    'The proxy of the host is not used for the payment service',
    'Set `SERVICE_PROXY=on`, or unset the variable',
  ],
  settings_not_read: [
    'A name in `.env` or the environment that is probably misspelt',
    'Correct it by `names`',
  ],
  webhook_sources_not_checked: [
    '`WEBHOOK_SOURCE_CHECK=observe`: anybody can send notifications',
    'Set what `fix` says',
  ],
  no_trusted_proxies: [
    'Production without `TRUSTED_PROXIES`',
    'Set what `fix` says, unless there is no proxy',
  ],
  built_in_members: [
    'Production with the built-in members',
    'Send members by [card links](03-guides/11-another-language.md) alone, or use [your own sign-in](03-guides/1-own-sign-in.md)',
  ],
  clock_differs: [
    'The host’s clock is off by more than two seconds; the database’s is used',
    'Set the clock',
  ],
  clock_not_adjusted: ['The time of the database could not be read', 'It repeats'],
  jobs: ['A message of the job engine', '[It repeats](06-runbook.md#jobs-are-late-or-have-failed)'],
  jobs_not_started: [
    'The job engine has no database; it retries every 5 s',
    '[It repeats](06-runbook.md#jobs-are-late-or-have-failed)',
  ],
  jobs_wait_for_database: [
    'The job engine waits for the database',
    '[It repeats](06-runbook.md#jobs-are-late-or-have-failed)',
  ],
  jobs_connection_lost: ['The job engine lost a connection, and opens another', 'It repeats'],
  gauges_not_read: [
    'The database did not answer `/metrics`',
    '[It repeats](06-runbook.md#a-process-is-down-or-not-ready)',
  ],
  request_failed: [
    'A request was answered with a 5xx, or a 400 `value_refused`',
    '[It repeats](06-runbook.md#requests-fail)',
  ],
  headers_refused: [
    'A request has too many header lines or senders, or a header twice',
    'Many: possibly an attack',
  ],
  page_refused: [
    'A page refused a forged form, another host name or a cross-site request',
    'Many: possibly an attack; your own name in `came`: [check the proxy](04-going-live.md#7-the-reverse-proxy)',
  ],
  api_key_refused: [
    'A call without the right key',
    '[It repeats](06-runbook.md#somebody-guesses-a-key-or-a-password)',
  ],
  return_url_ignored: ['A link has a return address that is not allowed', 'Your own link is wrong'],
  webhook_source_not_listed: [
    'An unlisted address has posted to the webhook',
    '[It repeats](06-runbook.md#the-webhook-refuses-its-sources)',
  ],
  webhook_sender_hidden: [
    'A refused sender may be a proxy that is missing in `TRUSTED_PROXIES`',
    '[Set what `fix` says](06-runbook.md#the-webhook-refuses-its-sources)',
  ],
  webhook_wrong_path: [
    'A listed address has posted to another path',
    'Set what `fix` says, in the console of the service',
  ],
  notification_not_stored: [
    'A notification was answered with a 503',
    '[It repeats](06-runbook.md#requests-fail)',
  ],
  notification_left_open: ['The check of a notification has failed and is retried', 'It repeats'],
  notification_retried: ['The check of a notification was retried', ''],
  notifications_paced: [
    'Too many notifications name unknown orders or payments',
    '[They wait](06-runbook.md#notification-queued)',
  ],
  retry_not_noted: ['The outcome of a retry could not be written; it is repeated', 'It repeats'],
  service_answers_again: ['The service answers after an outage', ''],
  service_asks_for_pause: [
    'The service has answered with a 429; no process calls it before `until`',
    'It repeats: ask the service about its limits',
  ],
  service_state_not_shared: [
    'Other processes could not be told of a pause or the end of an outage',
    'It repeats',
  ],
  discrepancy_noted: ['A new discrepancy', '[By kind](06-runbook.md#discrepancies)'],
  needs_review: ['A person has to decide about this attempt', '[Today](06-runbook.md#before-you-begin)'],
  schedule_revoked: ['The schedule of a finished order has ended', ''],
  schedule_not_revoked: [
    'The schedule of a finished order could not be revoked; it is tried again',
    '[Before its time](06-runbook.md#a-schedule-is-not-revoked)',
  ],
  schedule_revocation_not_enqueued: [
    'A job could not be enqueued; the next minute’s job revokes',
    'It repeats',
  ],
  attempt_recovered: ['A poll has found the outcome of a call whose answer was lost', ''],
  outcome_not_written: ['The outcome of a call could not be written; polls will find it', 'It repeats'],
  decision: ['A person has decided, by the JSON API or an operator page', ''],
  operator_signed_in: ['An operator has signed in', ''],
  operator_sign_in_failed: [
    'A wrong password, too many of them, or too many sign-ins at one time (`busy`)',
    '[It repeats](06-runbook.md#somebody-guesses-a-key-or-a-password)',
  ],
  operator_account_changed: ['An account of an operator was added, changed or disabled', ''],
  operator_action_not_recorded: ['This action of an operator is missing in the audit log', 'It repeats'],
  operator_second_factor_unreadable: [
    'No value of FORM_SECRET decrypts the second factor of this account',
    'Add the old value again, or reset the account',
  ],
  api_key_made: ['An API key was made', ''],
  api_key_revoked: ['An API key was revoked', ''],
  settlement_imported: [
    'A settlement file was imported',
    '`problems` is not 0: see the output of the command',
  ],
  operator_action: [
    'An operator synced, refunded, decided about a refund, resent an event or wrote a note',
    '',
  ],
  order_not_announced: [
    'The amount of an order could not be registered with the service (`ANNOUNCE_ORDERS`)',
    'It repeats',
  ],
  order_event: ['Written by the default `shop/on-order-event.ts`', ''],
  order_event_handler_failed: [
    "The shop's own code has thrown an error",
    '[At once](06-runbook.md#events-are-not-delivered)',
  ],
  event_not_delivered: [
    'A target did not accept an event; the delivery is retried',
    '[It repeats](06-runbook.md#events-are-not-delivered)',
  ],
  event_given_up: [
    'The delivery of an event is no longer retried',
    '[Send it again](06-runbook.md#events-are-not-delivered)',
  ],
  event_handler_missing: [
    'Deliveries were given up: their handler was renamed or removed',
    '[If they are needed](06-runbook.md#events-are-not-delivered)',
  ],
  event_delivery_not_enqueued: ['A job could not be enqueued; the next minute’s job delivers', 'It repeats'],
  event_delivery_not_noted: ['A delivery could not be recorded: the event is delivered again', 'It repeats'],
  issued_card_not_confirmed: ['An issued key could not be looked up; it is polled', ''],
  card_network_waits: [
    'Too many cards from this network were declined; it has to wait',
    '[Somebody tests cards](06-runbook.md#somebody-tests-cards)',
  ],
  card_challenge_asked: [
    'After many declined cards each try needs the shop’s challenge',
    '[Somebody tests cards](06-runbook.md#somebody-tests-cards)',
  ],
  card_form_closed: [
    'Too many declined cards have closed the form',
    '[Somebody tests cards](06-runbook.md#somebody-tests-cards)',
  ],
  removal_recovered: ['An interrupted card removal was completed', ''],
  key_request_not_checked: [
    'The service did not answer about a requested billing key',
    'Nothing: asked again',
  ],
  removal_unfinished: [
    'A card removal is not complete; level warn after ten minutes',
    '[Warn](06-runbook.md#billing-key-removing)',
  ],
  erasure_finished: ['All personal data of a member is erased', 'Rows in `to_check`'],
  erasure_unfinished: [
    'An erasure is not complete; level warn after a day, error if a try has failed',
    'Warn: see `waiting`; error: see `err`',
  ],
  old_rows_deleted: ['Rows past their retention time were deleted', ''],
  subscription_changed: ['A subscription was renewed, changed or paused, has failed, or has ended', ''],
  subscription_not_advanced: [
    'A step of a subscription has failed and is retried',
    '[It repeats](06-runbook.md#subscriptions-are-overdue)',
  ],
  notice_not_delivered: ['NOTICE_URL did not take a message; it is sent again', 'See `reason`'],
  reconciliation: ["Our books were compared with the service's", '`complete` stays false'],
  reconciliation_not_possible: [
    'The service did not answer',
    '[It repeats](06-runbook.md#reconciliation-does-not-come-to-its-end)',
  ],
  reconciliation_under_way_elsewhere: ['Another process runs the reconciliation', ''],
  reconciliation_unreadable_records: ['Unreadable records were skipped', 'Report it to the service'],
  payment_repaired: ['A payment without a notification was stored', 'Many: notifications do not arrive'],
  payment_not_repaired: [
    'A payment that differs could not be stored',
    '[As its notification](06-runbook.md#notifications)',
  ],
};
