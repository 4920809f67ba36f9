// English texts of the page to which the payment window returns.

import type { ko } from './texts.ko';

export const en: typeof ko = {
  windowKey: {
    states: {
      checking: {
        title: 'We are checking the registration',
        text: 'We do not know yet whether it was registered. Please wait and do not register it again.',
      },
      not_issued: {
        title: 'It was not registered',
        text: 'The payment window was closed, or the registration was refused. Go back and try again.',
      },
      left_to_person: {
        title: 'We have to check this registration ourselves',
        text: 'The payment window was open for too long, it belongs to another request, or you have too many cards. Please do not register it again; our customer service can help.',
      },
    },
    toCards: 'See your cards',
  },
};
