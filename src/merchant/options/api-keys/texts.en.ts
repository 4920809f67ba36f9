// English texts of the operator page of API keys.

import type { KeyTexts } from './texts.ko';

export const en: KeyTexts = {
  title: 'API keys',
  intro:
    'Make one key for each system, with the scopes that it needs. The request log names the key of each request. The key of the setting API_KEY is not listed here and has every scope.',
  made: 'The key was made',
  onlyNow: 'It is shown only now. Copy it before you leave this page.',
  revoked: 'Revoked. Requests with this key are refused from now on.',
  make: 'Make a key',
  name: 'Name',
  nameHint: 'The system that uses it: up to 40 of a-z, 0-9 and -, a letter first.',
  scopes: 'Scopes',
  limit: 'Refund limit',
  limitHint: 'Won that it may refund of one payment. Empty: no limit.',
  limitNeeded: 'A key that may refund needs a limit, at most',
  noLimit: 'None',
  created: 'Made',
  lastUsed: 'Last used',
  never: 'Never',
  state: 'State',
  valid: 'Valid',
  revokedState: 'Revoked',
  revoke: 'Revoke',
  revokeAsks: 'The system that uses it stops at once. This cannot be undone.',
  none: 'There are no keys.',
  problems: {
    wrong: 'Check the name and the refund limit, and choose at least one scope.',
    limit:
      'A refund above REFUND_LIMIT needs a second person, so a key that may refund needs a refund limit within it. For more, make the key with POST /api/keys and API_KEY.',
    taken: 'A valid key has this name. Take another name, or revoke that key first.',
  },
  scopeNames: {
    read: 'Read',
    orders: 'Register and close orders, sync payments, resend events',
    charge: 'Charge stored cards, schedules, subscriptions',
    refund: 'Refund',
    members: 'Cards and personal data of members',
    keys: 'Manage API keys',
  },
};
