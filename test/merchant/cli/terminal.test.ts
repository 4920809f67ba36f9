// The commands write colours and a moving bar to a terminal, and plain lines elsewhere.

import {
  columnsOf,
  createPaint,
  createProgress,
  escapeUnseen,
  fold,
  foldHelp,
  labelled,
  table,
} from '../../../src/merchant/cli/terminal';

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

test('progress is a bar on a terminal, cleared at the end, and nothing where only JSON is wanted', () => {
  const terminal = stream(true);
  const progress = createProgress(terminal, false);
  progress.show('paid', 0.5, '10 seen');
  progress.end();
  createProgress(terminal, true).show('paid', 0.5, '');
  expect(terminal.written).toEqual(['\r\x1b[Kpaid       [############------------] 10 seen', '\r\x1b[K']);
});

test('progress is a line at every quarter elsewhere, without control characters', () => {
  const file = stream(false);
  const progress = createProgress(file, false);
  for (const done of [0.1, 0.2, 0.3, 0.4, 1, 1.2]) progress.show('paid', done, `${done}`);
  progress.end();
  expect(file.written).toEqual(['paid 0 %: 0.1\n', 'paid 25 %: 0.3\n', 'paid 100 %: 1\n']);
});

test('a table has numbers to the right and text to the left, and folds on a narrow terminal', () => {
  const rows = [
    ['List', 'Seen', 'Unresolved'],
    ['paid', 12345, '3 amount_mismatch, 1 unknown_order'],
    ['cancelled', 7, '-'],
  ];
  const head = '  List         Seen  Unresolved\n  paid       12,345  3 amount_mismatch, 1';
  const end = '  cancelled       7  -\n';
  expect(table(rows)).toBe(`${head} unknown_order\n${end}`);
  expect(table(rows, 44)).toBe(`${head}\n                     unknown_order\n${end}`);
  // A block for each row where the columns do not fit beside each other.
  const list = '    Unresolved\n      3 amount_mismatch, 1\n      unknown_order\n';
  const second = '  cancelled\n    Seen\n      7\n    Unresolved\n      -\n';
  expect(table(rows, 32)).toBe(`  paid\n    Seen\n      12,345\n${list}${second}`);
});

test('a text stands beside its label, or below it where that leaves no room', () => {
  const beside = labelled('Verdict', 'nothing new: stored as the service has it', 40);
  expect(beside).toBe('Verdict  nothing new: stored as the\n         service has it');
  const below = labelled('2026-11-21 17:20:03 KST', 'stored for the first time', 40);
  expect(below).toBe('2026-11-21 17:20:03 KST\n      stored for the first time');
});

test('a narrow terminal keeps a long word whole, and counts Hangul as two columns', () => {
  const id = 'svc_12345678901234567890';
  expect(fold(`paid ${id} twice`, 20)).toEqual(['paid', id, 'twice']);
  expect(fold('결제 서비스 이름', 11)).toEqual(['결제 서비스', '이름']);
  expect([{ isTTY: true, columns: 50 }, { columns: 50 }].map(columnsOf)).toEqual([50, Infinity]);
});

test('the help is folded option by option', () => {
  const before = 'npm run it -- <id>\n\nSays what it is,\nand more.\n\n  --json';
  const help = `${before}  as JSON\n          for programs\n`;
  expect(foldHelp(help, 18)).toBe(`${before}\n      as JSON for\n      programs\n`);
  expect(foldHelp(help, 40)).toBe(help);
});
