// The commands write colours and a moving bar to a terminal, and plain lines elsewhere.

import { createPaint, createProgress, escapeUnseen, fold, table } from '../../../src/merchant/cli/terminal';

const stream = (isTTY: boolean) => {
  const written: string[] = [];
  return { isTTY, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
};

test('colours are for terminals, and not where NO_COLOR is set', () => {
  expect(createPaint({ isTTY: true }, {})('all', 'red')).toBe('\x1b[31mall\x1b[0m');
  expect(createPaint({ isTTY: true }, { NO_COLOR: '1' })('all', 'red')).toBe('all');
  expect(createPaint({}, {})('all', 'red')).toBe('all');
});

test('what turns the text or is not seen in it is escaped, and JSON stays the same value', () => {
  const name = 'kim\u202egro\u200b\u2028\u{e0041}';
  expect(escapeUnseen(name)).toBe('kim\\u202egro\\u200b\\u2028\\udb40\\udc41');
  expect(JSON.parse(escapeUnseen(JSON.stringify({ by: name })))).toEqual({ by: name });
  expect(escapeUnseen('\x1b[31m김민수 😀\x1b[0m\n')).toBe('\x1b[31m김민수 😀\x1b[0m\n');
});

test('progress is a bar on a terminal, and a line at every quarter without control characters elsewhere', () => {
  const terminal = stream(true);
  const bar = createProgress(terminal, false);
  bar.show('paid', 0.5, '10 seen');
  bar.end();
  createProgress(terminal, true).show('paid', 0.5, '');
  expect(terminal.written).toEqual(['\r\x1b[Kpaid       [############------------] 10 seen', '\r\x1b[K']);
  const file = stream(false);
  const lines = createProgress(file, false);
  for (const done of [0.1, 0.2, 0.3, 0.4, 1, 1.2]) lines.show('paid', done, `${done}`);
  lines.end();
  expect(file.written).toEqual(['paid 0 %: 0.1\n', 'paid 25 %: 0.3\n', 'paid 100 %: 1\n']);
});

test('a table folds its last column on a narrow terminal, and a long word such as an id stays whole', () => {
  const rows = [
    ['List', 'Seen', 'Unresolved'],
    ['paid', 12345, '3 amount_mismatch, 1 unknown_order'],
  ];
  const head = '  List    Seen  Unresolved\n  paid  12,345  3 amount_mismatch, 1';
  expect(table(rows)).toBe(`${head} unknown_order\n`);
  expect(table(rows, 38)).toBe(`${head}\n                unknown_order\n`);
  const id = 'svc_12345678901234567890';
  expect(fold(`paid ${id} twice`, 20)).toEqual(['paid', id, 'twice']);
});
