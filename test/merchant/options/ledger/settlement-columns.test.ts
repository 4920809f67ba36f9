// SETTLEMENT_COLUMNS names the columns of a settlement file; what is missing or misspelt is refused at the start.

import { ledgerSettings } from '../../../../src/merchant/options/ledger/settings';

const settlementColumns = ledgerSettings.shape.SETTLEMENT_COLUMNS;

test('the columns are read, with those of the fee', () => {
  expect(
    settlementColumns.parse('merchant_uid=주문번호, amount=금액,fee=수수료 + 부가세,paid_out_on=정산일'),
  ).toEqual({
    id: { kind: 'merchant_uid', column: '주문번호' },
    amount: '금액',
    fee: ['수수료', '부가세'],
    paidOutOn: '정산일',
    kind: null,
  });
  expect(settlementColumns.parse('pg_tid=t,amount=a,fee=f,paid_out_on=d').id).toEqual({
    kind: 'pg_tid',
    column: 't',
  });
  expect(settlementColumns.parse(undefined)).toMatchObject({ id: { kind: 'svc_uid', column: 'svc_uid' } });
});

test.each([
  ['without an id', 'amount=a,fee=f,paid_out_on=d'],
  ['with two ids', 'svc_uid=s,merchant_uid=m,amount=a,fee=f,paid_out_on=d'],
  ['without a fee', 'svc_uid=s,amount=a,paid_out_on=d'],
  ['with a field twice', 'svc_uid=s,amount=a,amount=b,fee=f,paid_out_on=d'],
  ['with an unknown field', 'svc_uid=s,amount=a,fee=f,paid_out_on=d,vat=v'],
  ['with a field without a column', 'svc_uid=,amount=a,fee=f,paid_out_on=d'],
  ['of names only', 'svc_uid,amount,fee,paid_out_on'],
])('%s it is refused', (_, text) => {
  const { error } = settlementColumns.safeParse(text);
  expect(error?.issues[0]?.message).toContain('must be like svc_uid=결제번호');
});
