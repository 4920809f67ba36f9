// How long rows are kept is a number of days that leaves time to clear up a payment.

import { erasureSettings } from '../../../../src/merchant/options/erasure/settings';

const days = erasureSettings.shape.KEEP_NOTIFICATIONS_DAYS;

test('400 days are the default, and 30 the least', () => {
  expect([days.parse(undefined), days.parse('30')]).toEqual([400, 30]);
});

test.each(['29', '30.5', 'forever', '36501'])('KEEP_NOTIFICATIONS_DAYS=%s is refused', (text) => {
  expect(days.safeParse(text).error?.issues).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^must be/) as unknown }),
  ]);
});
