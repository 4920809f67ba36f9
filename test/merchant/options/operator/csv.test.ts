// Every cell is read unchanged from its CSV line, and none begins a formula.

import fc from 'fast-check';
import { csvLine } from '../../../../src/merchant/options/operator/lists/csv';
import { holds } from '../../../support/property';

/** As RFC 4180 reads one line. */
function readLine(line: string): string[] {
  const cells = [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

test('a cell that a spreadsheet would run begins with an apostrophe, also with full-width signs', () => {
  expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', 'a,b', 'a"b', null, -5])).toBe(
    `'=1+1,'+1,'-1,'@x,'\tx,"a,b","a""b",,-5\r\n`,
  );
  expect(csvLine(['＝1+1', '＋1', '－1', '＠x', '총액＝1'])).toBe(`'＝1+1,'＋1,'－1,'＠x,총액＝1\r\n`);
});

test('every line has all its cells, and no cell begins a formula', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠,"\t ab가'), minLength: 1 });
  holds(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (cells) => {
      const read = readLine(csvLine(cells));
      expect(read.map((cell) => cell.replace(/^'(?=[=+\-@＝＋－＠\t])/, ''))).toEqual(cells);
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t]/);
    }),
  );
});
