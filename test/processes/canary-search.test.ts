// Shows that the search of canaries.test.ts finds a leak: canaries are planted in every spelling.

import {
  CANARY_TEL,
  CARD_CANARIES,
  newCard,
  searchFor,
  SECRET_CANARIES,
  SECRETS,
  TEL_CANARY,
} from '../../proof/canaries/canaries';
import { findLeaksInBytes } from '../support/leak-search';

const canaries = [...CARD_CANARIES, ...SECRET_CANARIES, TEL_CANARY];

const search = (place: string, text: string) => searchFor(place, text, canaries);

describe('the search finds what is planted:', () => {
  const card = newCard();
  const spellings: [string, string][] = [
    ['plain', card.card_number],
    ['in groups of four', card.card_number.replaceAll('-', ' ')],
    ['digits only', card.card_number.replaceAll('-', '')],
    ['full-width', card.card_number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))],
    ['URL-encoded', encodeURIComponent(card.card_number.replaceAll('-', ' '))],
    ...['', 'x', 'xx'].flatMap((before): [string, string][] => [
      [`base64 after ${before.length}`, Buffer.from(`${before}${JSON.stringify(card)}`).toString('base64')],
      [
        `base64url of the digits after ${before.length}`,
        Buffer.from(`${before}${card.card_number.replaceAll('-', '')}`).toString('base64url'),
      ],
    ]),
    ['hexadecimal', Buffer.from(card.card_number).toString('hex')],
    ['the birth date alone', `"birth":"${card.birth}"`],
    ['the expiry of the form', 'expires 07 / 2038'],
    ['the password digits alone', `"pwd_2digit":"${card.pwd_2digit}"`],
    ['the password digits of a form', `a=1&pwd_2digit=${card.pwd_2digit}&b=2`],
    ['a secret', `Authorization: Bearer ${SECRETS.API_KEY}`],
    ['a secret in base64', Buffer.from(`svc:${SECRETS.SERVICE_SECRET}`).toString('base64')],
    ['a telephone without hyphens', CANARY_TEL.replaceAll('-', '')],
  ];

  test.each(spellings)('%s', (_how, text) => {
    expect(search('planted', `a line ${text} of the log`)).not.toEqual([]);
  });

  test('in the bytes of a file; a masked number is no leak', () => {
    expect(findLeaksInBytes('x', Buffer.from(`row ${card.card_number}`), canaries)).not.toEqual([]);
    const masked = `540977******${card.card_number.slice(-4)} and 5409-77**-****-${card.card_number.slice(-4)}`;
    expect(search('masked', masked)).toEqual([]);
  });
});
