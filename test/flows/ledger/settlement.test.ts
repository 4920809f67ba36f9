// A settlement file of the service marks movements as paid out, with their fees. What it says about no movement, or another
// amount, is reported and not stored.

import { importSettlement } from '../../../src/merchant/options/ledger/import-settlement';
import type { SettlementColumns } from '../../../src/merchant/options/ledger/settings';
import { decodeFile, readSettlementFile } from '../../../src/merchant/options/ledger/settlement-file';
import { closeContext } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

const COLUMNS: SettlementColumns = {
  id: { kind: 'svc_uid', column: '결제번호' },
  amount: '금액',
  fee: ['수수료', '부가세'],
  paidOutOn: '정산일',
  kind: '구분',
};
const HEAD = '정산일,구분,결제번호,금액,수수료,부가세';

async function paid(amount = 10_000) {
  const merchantUid = await registerOrder(world, newUid(), { amount });
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: merchantUid, amount });
  return { merchantUid, svcUid };
}
const refund = (svcUid: string, amount: number, checksum: number) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'cold', amount, checksum });

async function importFile(lines: readonly string[], columns = COLUMNS) {
  const file = readSettlementFile([HEAD, ...lines].join('\r\n'), columns);
  const context = openContext(world);
  try {
    const { problems, ...counts } = await importSettlement(context, columns.id.kind, file.rows);
    const told = problems.map(({ row, problem, amounts }) => [row.line, problem, ...amounts]);
    return { ...counts, problems: told, unreadable: file.unreadable };
  } finally {
    await closeContext(context);
  }
}
const settlementOf = async (svcUid: string) =>
  (await world.api('GET', '/api/ledger?limit=1000')).body.list
    .filter((row: { svc_uid: string }) => row.svc_uid === svcUid)
    .map((row: any) => [row.kind, row.amount, row.fee, row.paid_out_on]);

const CLEAN = { problems: [], unreadable: [] };

test('fee and day of the payout are shown, the same file changes nothing, and a corrected one replaces them', async () => {
  const { svcUid } = await paid();
  const other = await paid();
  await refund(svcUid, 2_000, 10_000);
  const lines = [
    `2026-11-25,승인,${svcUid},"10,000",200,20`,
    `2026.11.25,취소,${svcUid},-2000,-40,-4`,
    '',
    `20261126,승인,${other.svcUid},10000,,0`,
  ];
  expect(await importFile(lines)).toEqual({ added: 3, unchanged: 0, changed: 0, ...CLEAN });
  const settled = [
    ['payment', 10_000, 220, '2026-11-25'],
    ['refund', 2_000, -44, '2026-11-25'],
  ];
  expect(await settlementOf(svcUid)).toEqual(settled);
  expect(await settlementOf(other.svcUid)).toEqual([['payment', 10_000, 0, '2026-11-26']]);
  expect(await importFile(lines)).toEqual({ added: 0, unchanged: 3, changed: 0, ...CLEAN });
  expect(await settlementOf(svcUid)).toEqual(settled);
  const corrected = [`2026-11-27,승인,${svcUid},10000,300,30`];
  expect(await importFile(corrected)).toEqual({ added: 0, unchanged: 0, changed: 1, ...CLEAN });
  expect(await settlementOf(svcUid)).toEqual([['payment', 10_000, 330, '2026-11-27'], settled[1]]);
});

test('two refunds of one amount are paid out by two files, in any order', async () => {
  const { svcUid } = await paid();
  await refund(svcUid, 1_000, 10_000);
  await refund(svcUid, 1_000, 9_000);
  const first = `2026-11-25,취소,${svcUid},1000,0,0`;
  const second = `2026-11-26,취소,${svcUid},1000,0,0`;
  expect(await importFile([first])).toMatchObject({ added: 1 });
  expect(await importFile([second])).toMatchObject({ added: 1 });
  expect(await importFile([second, first])).toMatchObject({ unchanged: 2, problems: [] });
  expect((await settlementOf(svcUid)).slice(1)).toEqual([
    ['refund', 1_000, 0, '2026-11-25'],
    ['refund', 1_000, 0, '2026-11-26'],
  ]);
  expect(await importFile([first, second, first])).toMatchObject({ problems: [[4, 'repeated']] });
});

test('rows without a movement, of another amount, or unreadable are reported, and the others are stored', async () => {
  const { svcUid } = await paid();
  const other = await paid();
  const result = await importFile([
    `2026-11-25,승인,svc_nobody,10000,1,0`,
    `2026-11-25,승인,${svcUid},9999,1,0`,
    `2026-11-25,취소,${svcUid},10000,1,0`,
    `25.11.2026,승인,${svcUid},10000,1,0`,
    `2026-02-30,승인,${svcUid},10000,1,0`,
    `2026-11-25,승인,${svcUid},10000,1.5,0`,
    `2026-11-25,승인,${svcUid},만원,1,0`,
    `2026-11-25,승인,a b,10000,1,0`,
    `0000-01-01,승인,${other.svcUid},10000,1,0`,
    `2026-11-25,승인,${other.svcUid},10000,1,0`,
  ]);
  expect(result).toEqual({
    added: 1,
    unchanged: 0,
    changed: 0,
    problems: [
      [2, 'not_found'],
      [3, 'amount_differs', 10_000],
      [4, 'not_found'],
    ],
    unreadable: [
      { line: 5, column: '정산일' },
      { line: 6, column: '정산일' },
      { line: 7, column: '수수료' },
      { line: 8, column: '금액' },
      { line: 9, column: '결제번호' },
      { line: 10, column: '정산일' },
    ],
  });
  expect(await settlementOf(svcUid)).toEqual([['payment', 10_000, null, null]]);
});

test('a file may name the order, and tell refunds by their sign', async () => {
  const { merchantUid, svcUid } = await paid();
  await refund(svcUid, 10_000, 10_000);
  const columns = { ...COLUMNS, id: { kind: 'merchant_uid', column: '결제번호' }, kind: null } as const;
  const lines = [`2026-11-25,x,${merchantUid},10000,100,10`, `2026-11-25,x,${merchantUid},-10000,-100,-10`];
  expect(await importFile(lines, columns)).toMatchObject({ added: 2, ...CLEAN });
  expect(await settlementOf(svcUid)).toEqual([
    ['payment', 10_000, 110, '2026-11-25'],
    ['refund', 10_000, -110, '2026-11-25'],
  ]);
});

test('a file in EUC-KR is read, quotes and line ends in cells too, and a file without the columns is refused', () => {
  // "금액" in EUC-KR.
  expect(decodeFile(Uint8Array.from([0xb1, 0xdd, 0xbe, 0xd7]))).toBe('금액');
  expect(() => decodeFile(Uint8Array.from([0xff, 0xff, 0xff]))).toThrow('neither UTF-8 nor EUC-KR');
  const quoted = `\ufeff${HEAD}\n"2026-11-25","승인, ""A""\nB",svc_1,1000,1,0\n2026-11-25,취소,svc_2,500,0,0`;
  expect(readSettlementFile(decodeFile(new TextEncoder().encode(quoted)), COLUMNS).rows).toMatchObject([
    { line: 2, id: 'svc_1', kind: 'payment', amount: 1000 },
    { line: 4, id: 'svc_2', kind: 'refund', amount: 500 },
  ]);
  expect(() => readSettlementFile('', COLUMNS)).toThrow('is empty');
  for (const [row, problem] of [
    ['2026-11-25,"취소', 'Line 3: a quote is not closed'],
    ['2026-11-25,"취소"x,svc_1', 'Line 3: text follows'],
  ])
    expect(() => readSettlementFile(`${HEAD}\n\n${row}`, COLUMNS)).toThrow(problem);
  expect(() => readSettlementFile('결제번호,금액\n', COLUMNS)).toThrow(
    'no column 수수료, 부가세, 정산일, 구분',
  );
});
