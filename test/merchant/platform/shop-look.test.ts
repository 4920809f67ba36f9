// The settings for the look of the member's pages are checked at the start, and each problem has a remedy.

import { testConfig } from '../../support/config';

test('a shop has its own name, colour and logo if they are set', () => {
  expect(testConfig().shop).toEqual({ name: null, color: null, logo: null });
  const look = { SHOP_NAME: ' Tea <b>House ', SHOP_COLOR: '#0B6B4F', SHOP_LOGO: 'icon.svg' };
  expect(testConfig(look).shop).toEqual({ name: 'Tea <b>House', color: '#0b6b4f', logo: 'icon.svg' });
});

const NO_COLOUR = /must be a colour such as #3552d6/;
const NO_IMAGE = /must be the name of an image in views\/merchant\/static, such as logo.svg/;
test.each([
  ['SHOP_NAME', 'x'.repeat(41), /must have at most 40 characters/],
  ['SHOP_NAME', 'Tea\nHouse', /has a control character or a line end/],
  ['SHOP_COLOR', '#0b6', NO_COLOUR],
  ['SHOP_COLOR', '#0b6b4f; } body { display: none', NO_COLOUR],
  ['SHOP_COLOR', '#777777', /has a contrast of 4.47 : 1 with .*at least 4.5 : 1; take a darker colour/],
  ['SHOP_LOGO', '../error.eta', NO_IMAGE],
  ['SHOP_LOGO', 'card-form.js', NO_IMAGE],
  ['SHOP_LOGO', 'none.svg', /names no file in views\/merchant\/static; put the image there/],
])('%s=%j is refused, with what to do', (name, value, problem) => {
  expect(() => testConfig({ [name]: value })).toThrow(problem);
});
