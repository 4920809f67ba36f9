// A settlement file of the service marks movements as paid out, with their fees. What it says about no movement, or another
// amount, is reported and not stored.

import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import { importSettlement } from '../../../src/merchant/options/ledger/import-settlement';
import type { SettlementColumns } from '../../../src/merchant/options/ledger/settings';
import { decodeFile, readSettlementFile } from '../../../src/merchant/options/ledger/settlement-file';
import { closeContext } from '../../../src/merchant/platform/context';
import { openContext } from '../../support/beside-world';
import { signedIn } from '../../support/browsers';
import { newUid, paySilently, registerOrder } from '../../support/orders';
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
    const { problems, missing, ...counts } = await importSettlement(context, columns.id.kind, {
      ...file,
      name: 'november.csv',
    });
    const told = problems.map(({ row, problem, amounts }) => [row.line, problem, ...amounts]);
    return {
      ...counts,
      problems: told,
      missing: missing.map(({ svcUid }) => svcUid),
      unreadable: file.unreadable.map(({ line, column }) => ({ line, column })),
    };
  } finally {
    await closeContext(context);
  }
}
const settlementOf = async (svcUid: string) =>
  (await world.api('GET', '/api/ledger?limit=1000')).body.list
    .filter((row: { svc_uid: string }) => row.svc_uid === svcUid)
    .map((row: any) => [row.kind, row.amount, row.fee, row.paid_out_on]);

const CLEAN = { problems: [], missing: [], unreadable: [] };

test('fee and day of the payout are shown, the same file changes nothing, and a corrected one replaces them', async () => {
  // A file misses nothing that is older than 31 days, so nothing of another test.
  await world.advance(32 * 86_400);
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
    ['refund', -2_000, -44, '2026-11-25'],
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
    ['refund', -1_000, 0, '2026-11-25'],
    ['refund', -1_000, 0, '2026-11-26'],
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
    missing: expect.not.arrayContaining([svcUid]),
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
  expect(await importFile(lines, columns)).toMatchObject({ added: 2, problems: [], unreadable: [] });
  expect(await settlementOf(svcUid)).toEqual([
    ['payment', 10_000, 110, '2026-11-25'],
    ['refund', -10_000, -110, '2026-11-25'],
  ]);
});

const openProblems = async () =>
  (await world.api('GET', '/api/ledger/problems?open=true&limit=1000')).body.list as Record<string, any>[];

test('a movement that no file has named before others is reported, until a later file names it', async () => {
  const row = (uid: string, fee = 100) => `2026-11-25,승인,${uid},10000,${fee},0`;
  // Nothing is missed before the first movement that a file has named.
  const first = await paid();
  expect(await importFile([row(first.svcUid)])).toMatchObject({ added: 1 });
  const { svcUid } = await paid();
  await world.advance(60);
  const later = await paid();
  await world.advance(60);
  await paid();
  expect((await importFile([row(later.svcUid)])).missing).toContain(svcUid);
  const isOpen = async () => (await openProblems()).some((each) => each['svc_uid'] === svcUid);
  expect(await isOpen()).toBe(true);
  const unsettled = async () =>
    (await world.api('GET', '/api/ledger?paid_out=false&limit=1000')).body.list.map(
      (each: { svc_uid: string }) => each.svc_uid,
    );
  expect(await unsettled()).toContain(svcUid);
  expect(await importFile([row(svcUid)])).toMatchObject({ added: 1 });
  expect(await isOpen()).toBe(false);
  const left = await unsettled();
  expect([left.includes(svcUid), left.includes(later.svcUid)]).toEqual([false, false]);
  const { list, totals } = (await world.api('GET', '/api/ledger?paid_out=true&limit=1000')).body;
  expect(list.every((each: { fee: number | null }) => each.fee !== null)).toBe(true);
  expect(totals.every((each: { unsettled: number }) => each.unsettled === 0)).toBe(true);
});

test('a row that is not stored stays until it fits or a person has resolved it, also in another import', async () => {
  const merchantUid = await registerOrder(world, newUid(), { amount: 10_000 });
  const pending = await paySilently(world, merchantUid, { amount: 10_000 });
  const wrong = [`2026-11-25,승인,svc_nobody,10000,7,0`, `2026-11-25,승인,${pending.svc_uid},10000,1,0`];
  const unread = `2026-11-25,승인,svc_other,만원,1,0`;
  const since = Math.max(0, ...(await openProblems()).map(({ id }) => Number(id)));
  const mine = async () =>
    (await openProblems())
      .filter(({ id, problem }) => Number(id) > since && problem !== 'missing')
      .map(({ problem, reference, line, column_name: column, amount }) => [
        problem,
        reference,
        line,
        column,
        amount,
      ]);
  const reported = [
    ['not_found', pending.svc_uid, 3, null, 10_000],
    ['not_found', 'svc_nobody', 2, null, 10_000],
    ['unreadable', null, 4, '금액', null],
  ];
  for (let time = 0; time < 2; time += 1) {
    await importFile([...wrong, unread]);
    expect(await mine()).toEqual(reported);
  }
  // Its notification comes late.
  await syncPayment(world.context(), { svcUid: pending.svc_uid, merchantUid });
  await importFile([...wrong, unread]);
  expect(await mine()).toEqual(reported.slice(1));

  const kim = await signedIn(world);
  const { html } = await kim.get('/operator/ledger?lang=en');
  expect(html).toContain('The ledger has no such movement.');
  const [nobody] = (await openProblems()).filter(({ reference }) => reference === 'svc_nobody');
  await kim.post(`/operator/ledger/problems/${nobody?.['id']}/resolve`, { note: 'Not ours' });
  const [unreadable] = (await openProblems()).filter(({ problem }) => problem === 'unreadable');
  const resolved = await world.api('POST', `/api/ledger/problems/${unreadable?.['id']}/resolve`, {
    note: 'Seen',
    by: 'lee',
  });
  expect(resolved.body).toMatchObject({ resolved_by: 'lee', resolution_note: 'Seen' });
  await importFile([...wrong, unread]);
  expect(await mine()).toEqual([]);
  expect((await world.api('POST', '/api/ledger/problems/999999/resolve', { note: 'x' })).status).toBe(404);
});

test('a file may name the PG transaction, of the payment or of the refund, or the approval number', async () => {
  const { svcUid } = await paid();
  await refund(svcUid, 3_000, 10_000);
  const [payment, part] = (await world.api('GET', '/api/ledger?limit=1000')).body.list.filter(
    (row: { svc_uid: string }) => row.svc_uid === svcUid,
  );
  const by = (kind: SettlementColumns['id']['kind']) => ({ ...COLUMNS, id: { kind, column: '결제번호' } });
  const lines = [
    `2026-11-25,승인,${payment.pg_tid},10000,300,0`,
    `2026-11-25,취소,${part.pg_tid},3000,-90,0`,
  ];
  expect(part.pg_tid).not.toBe(payment.pg_tid);
  expect(await importFile(lines, by('pg_tid'))).toMatchObject({ added: 2, problems: [] });
  const ofPayment = [lines[0] ?? '', `2026-11-25,취소,${payment.pg_tid},3000,-90,0`];
  expect(await importFile(ofPayment, by('pg_tid'))).toMatchObject({ unchanged: 2, problems: [] });

  // A spreadsheet has dropped the zeros.
  await world.rows.query(`update payments set apply_num = '00048213' where svc_uid = $1`, [svcUid]);
  const byApproval = [`2026-11-25,승인,48213,10000,300,0`, `2026-11-25,취소,48213,3000,-90,0`];
  expect(await importFile(byApproval, by('approval_number'))).toMatchObject({ unchanged: 2, problems: [] });
  const other = await paid();
  await world.rows.query(`update payments set apply_num = '00048213' where svc_uid = $1`, [other.svcUid]);
  expect(await importFile([`2026-11-26,승인,48213,10000,300,0`], by('approval_number'))).toMatchObject({
    added: 0,
    problems: [[2, 'ambiguous']],
  });
});

test('a file in EUC-KR is read, quotes and line ends in cells too, and a file without the columns is refused', () => {
  // "금액" in EUC-KR.
  expect(decodeFile(Uint8Array.from([0xb1, 0xdd, 0xbe, 0xd7]))).toBe('금액');
  expect(() => decodeFile(Uint8Array.from([0xff, 0xff, 0xff]))).toThrow('neither UTF-8 nor EUC-KR');
  const quoted = `\ufeff${HEAD}\n"2026-11-25","승인, ""A""\nB",svc_1,1000,1,0\n2026-11-25,취소,svc_2,500,0,0`;
  expect(readSettlementFile(decodeFile(new TextEncoder().encode(quoted)), COLUMNS).rows).toMatchObject([
    { line: 2, id: 'svc_1', kind: 'payment', amount: 1000 },
    { line: 4, id: 'svc_2', kind: 'refund', amount: -500 },
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
