// English texts of /docs and of the introduction in /openapi.json.

import type { ko } from './texts.ko';

export const en: typeof ko = {
  docs: {
    title: 'API reference',
    description: 'The JSON API of this server.',
    lead: 'How the merchant’s other systems call this server.',
    sections: '§ numbers are headings of `docs/12-payment-service.md` in the repository.',
    chapters: [
      {
        title: 'Authentication',
        text: 'Send `Authorization: Bearer <API_KEY>` to every route under `/api`. `npm start` shows the key when it is up; in production it is the setting `API_KEY`. That key has every scope; a key of your own needs the scope of the route. The examples below take it from the shell variable `API_KEY`.',
      },
      {
        title: 'Paging',
        text: 'Lists of what is stored page by `after` and `limit`. Send `next` of one answer as `after` of the next request; on the last page `next` is null. Only routes that ask the payment service (§4.5 to §4.8) have page numbers, and their descriptions say so.',
      },
      {
        title: 'Times',
        text: 'Times are ISO 8601 with an offset, such as `2026-11-21T09:00:00+09:00`. In an address, write `+` as `%2B`; a plain `+` is understood as well. Only fields that pass a value of the payment service on are UNIX seconds, and their descriptions say so.',
      },
      {
        title: 'Amounts',
        text: 'Amounts are integers in the unit of §2.4, with `currency` beside them.',
      },
      {
        title: 'Errors',
        text: 'All errors have one shape. `code` is for programs and does not change; `message` is for people. `param` names the field to correct, if it is a field; `doc_url` leads to the code on this page. A 503 carries `Retry-After`. A body with an unknown field is refused, and the field is named.',
      },
      {
        title: 'Examples',
        text: 'The examples build on each other and work with the sandbox. `POST /api/orders` registers an order and `POST /api/onetime` stores a card; then that card pays for the order, payments are scheduled with it, and a payment is refunded. Replace the `svc_uid` in a path by that of your own payment.',
      },
    ],
    typesTitle: 'Clients',
    typesText:
      'This command writes the types of all routes for a client in TypeScript. `npm run tool -- bruno` writes a collection of the same requests for Bruno. `docs/03-guides/9-testing.md` shows how both are used.',
    open: 'Needs no key',
    scope: 'Scope of the key:',
    noScript:
      'The viewer needs JavaScript. openapi.json has the same content, and the error codes are below.',
    download: 'Download openapi.json',
    errorTable: 'Error codes',
    errorTableText: 'Each with what to do about it.',
  },
};
