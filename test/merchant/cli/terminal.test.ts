// The commands write colours only to a terminal, and no invisible characters.

import { createPaint, escapeUnseen } from '../../../src/merchant/cli/terminal';

test('colours are for terminals, and not where NO_COLOR is set', () => {
  expect(createPaint({ isTTY: true }, {})('all', 'red')).toBe('\x1b[31mall\x1b[39m');
  expect(createPaint({ isTTY: true }, { NO_COLOR: '1' })('all', 'red')).toBe('all');
  expect(createPaint({}, {})('all', 'red')).toBe('all');
});

test('characters that change the direction of the text or are invisible are escaped, and JSON keeps its value', () => {
  const name = 'kim\u202egro\u200b\u2028\u{e0041}';
  expect(escapeUnseen(name)).toBe('kim\\u202egro\\u200b\\u2028\\udb40\\udc41');
  expect(JSON.parse(escapeUnseen(JSON.stringify({ by: name })))).toEqual({ by: name });
  expect(escapeUnseen('\x1b[31m김민수 😀\x1b[0m\n')).toBe('\x1b[31m김민수 😀\x1b[0m\n');
});
