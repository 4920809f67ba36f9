// English texts of the card links.

import type { CardLinkTexts } from './texts.ko';

export const en: CardLinkTexts = {
  cardLink: {
    pages: {
      register: { title: 'Register a card', go: 'Continue to the card form' },
      cards: { title: 'Your cards', go: 'Continue to your cards' },
    },
    lead: 'The shop has sent you here.',
    text: 'If you continue, this browser is signed in as a member of the shop for one hour. This address works once.',
    stranger:
      'Did you not come from the shop just now? Then close this page: somebody else’s account could be opened.',
    ended: {
      title: 'This page cannot be opened any more',
      text: 'The address works once, within ten minutes, and the sign-in lasts an hour. It has been used, the time is over, or it is incomplete.',
      next: 'Go back to the shop and open the page from there again.',
      signedIn: 'You are still signed in in this browser.',
      toCards: 'Continue to your cards',
    },
  },
};
