// English texts of the member's cards.

import type { ko } from './texts.ko';

export const en: typeof ko = {
  list: {
    title: 'Your cards',
    empty: 'You have no card yet.',
    emptyHint: 'Register a card once and pay with it from then on.',
    add: 'Add a card',
    news: {
      registered: 'Your card is registered.',
      replaced: 'Your card is replaced by the new one.',
      removed: 'Your card is removed.',
    },
    closeNews: 'Dismiss',
    usedBy: 'Pays for your plan:',
    withoutCard: 'This plan has no card now:',
    newsNext: 'You can choose it at your next payment.',
    unknownCard: 'Card',
    state: {
      active: 'Ready to use',
      pending: 'Being checked',
      replacing: 'Replacement being checked',
      needs_review: 'Contact support',
      removing: 'Being removed',
    },
    pendingHint: 'We are checking the outcome. Do not send the card again; check back in a moment.',
    reviewHint: 'We could not confirm that this is the card you sent. Please contact support.',
    removingHint:
      'We are finishing the removal. It then disappears from this list; there is nothing you need to do.',
    twice: 'This card seems to be registered twice. You can remove one of them.',
    replace: 'Replace',
    remove: 'Remove',
    keptTitle: 'What we keep and what we do not',
    kept: 'We keep the masked card number, the card company, and the version and time of your consent. If a card is declined, we keep the reason, too.',
    notKept: 'We do not keep the full card number, expiry date, date of birth or password.',
  },
  removal: {
    question: 'Remove {card}?',
    ends: 'Your plan “{name}” loses its card and ends on its next payment date. To keep the plan, replace the card instead.',
    consequences: [
      'The payment details of this card are deleted at the payment service.',
      'All payments scheduled with this card are cancelled.',
      'You can no longer pay with this card, and this cannot be undone. To use it again, you have to add it again.',
    ],
    confirm: 'Remove this card',
    failed: {
      expired: {
        title: 'Nothing was removed.',
        text: 'This page was open for more than 15 minutes. To remove the card, press once more.',
      },
      in_use: {
        title: 'It was not removed yet.',
        text: 'An earlier request with this card is not finished yet. Remove the card again when its outcome appears here.',
      },
      cannot_now: {
        title: 'It could not be removed.',
        text: 'The payment service has not confirmed the removal, so the card stays in your list. Please try again in a moment.',
      },
    },
  },
  signedOut: {
    title: 'Please sign in',
    text: 'Your sign-in has ended, or cookies are turned off. Nothing was sent or changed: open the page again and start over.',
    openAgain: 'Open it again',
  },
  errors: {
    forged_form: {
      title: 'This form cannot be used',
      text: 'It was not made for the member who is signed in now. Nothing was changed.',
      next: 'Open a new form and start again.',
    },
    card_of_another_member: {
      title: 'This card belongs to another member',
      text: 'It is not a card of the member who is signed in now.',
      next: 'Choose one of your own cards.',
    },
    no_such_card: {
      title: 'There is no such card',
      text: 'It was removed, cannot be used now, or never existed.',
      next: 'See your cards.',
    },
  },
};
