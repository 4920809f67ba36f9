// `doctor -- --live` says which questionnaire of PCI DSS applies, by what the program is made of.

import { aboutCardData } from '../../../src/merchant/cli/doctor';

const form = { register: '/cards/new', replace: (customerUid: string) => `/cards/${customerUid}/replace` };

test.each([
  ['SAQ D for a server with a page for card numbers', [{}, { cardEntry: form }], 'SAQ D'],
  ['SAQ A for one without', [{}, {}], 'SAQ A'],
])('it is %s', (_, features, questionnaire) => {
  expect(aboutCardData(features)['card data']).toEqual([
    expect.stringContaining(`(${questionnaire})`),
    expect.stringContaining('docs/04-going-live.md'),
  ]);
});
