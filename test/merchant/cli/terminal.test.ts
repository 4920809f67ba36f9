// The commands write colours and a moving bar to a terminal, and plain lines elsewhere.

import { createPaint, createProgress, table } from '../../../src/merchant/cli/terminal';

const stream = (isTTY: boolean) => {
  const written: string[] = [];
  return { isTTY, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
};

test('colours are for terminals, and not where NO_COLOR is set', () => {
  expect(createPaint({ isTTY: true }, {})('all', 'red')).toBe('\x1b[31mall\x1b[0m');
  expect(createPaint({ isTTY: true }, { NO_COLOR: '1' })('all', 'red')).toBe('all');
  expect(createPaint({}, {})('all', 'red')).toBe('all');
});

test('a table has numbers to the right and text to the left', () => {
  expect(
    table([
      ['List', 'Seen', 'Why'],
      ['paid', 12345, '-'],
      ['cancelled', 7, '1 unknown_order'],
    ]),
  ).toBe('  List         Seen  Why\n  paid       12,345  -\n  cancelled       7  1 unknown_order\n');
});

describe('progress', () => {
  test('is a bar on a terminal, cleared at the end', () => {
    const terminal = stream(true);
    const progress = createProgress(terminal, false);
    progress.show('paid', 0.5, '10 seen');
    progress.end();
    expect(terminal.written).toEqual(['\r\x1b[Kpaid       [############------------] 10 seen', '\r\x1b[K']);
  });
  test('is a line at every quarter elsewhere, without control characters', () => {
    const file = stream(false);
    const progress = createProgress(file, false);
    for (const done of [0.1, 0.2, 0.3, 0.4, 1, 1.2]) progress.show('paid', done, `${done}`);
    progress.end();
    expect(file.written).toEqual(['paid 0 %: 0.1\n', 'paid 25 %: 0.3\n', 'paid 100 %: 1\n']);
  });
  test('is silent where only JSON is wanted', () => {
    const file = stream(true);
    createProgress(file, true).show('paid', 0.5, '');
    expect(file.written).toEqual([]);
  });
});
