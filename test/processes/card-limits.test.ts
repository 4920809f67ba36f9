// Two merchant processes on one database count card attempts together: a second process gives nobody more of them.

import { setTimeout } from 'node:timers/promises';
import { CARD_LIMITS, type AttemptLimit } from '../../src/merchant/card-limits';
import { dropMs } from '../../src/merchant/leaky-bucket';
import { CARD_FORM } from '../support/cards';
import { ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser } from '../support/member-browser';
import { FILL_IN_MS, type MerchantProcess } from '../support/merchant-process';
import { useSurroundings } from '../support/use-surroundings';

const around = useSurroundings();
let merchants: MerchantProcess[] = [];

jest.setTimeout(60_000);

beforeAll(async () => {
  merchants = await Promise.all([around.startMerchant(), around.startMerchant()]);
});

test('K1: two processes count together', async () => {
  const cookies = new Map<string, string>();
  const browserAt = (index: number) => {
    const { port } = merchants[index % 2] as MerchantProcess;
    return createMemberBrowser({ url: `http://127.0.0.1:${port}` }, cookies);
  };
  const forms: { customer_uid: string; form_token: string }[] = [];
  while (forms.length < 20) forms.push(await browserAt(forms.length).openForm());
  // A declined card makes no key, so that the counts alone decide.
  const body = { code: 1, message: 'declined' };
  await around.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 20 });
  await setTimeout(FILL_IN_MS);
  const answers = await Promise.all(
    forms.map((form, index) => {
      const card_number = `9410-2000-0000-${String(index).padStart(4, '0')}`;
      const fields = { ...form, ...CARD_FORM, card_number, register_again: 'on' };
      return browserAt(index).post('/cards', fields);
    }),
  );

  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  expect(await around.sandbox.requests(ISSUE_KEY)).toBe(5);
  expect(await around.rows.query('select from billing_key_issuances')).toHaveLength(5);
  // What one member tries in vain is counted against nobody else.
  const counts = `select split_part(key, ':', 1) as counted, points from card_limits
    where key not like 'member:%' and key not like 'declined:%' order by 1`;
  expect(await around.rows.query(counts)).toMatchObject([
    { counted: 'address', points: 5 },
    ...Array.from({ length: 5 }, () => ({ counted: 'card', points: 1 })),
    { counted: 'memberDaily', points: 5 },
  ]);
  // A leaky bucket holds the moment at which it is empty. Both were filled by the five alone, beginning at one moment.
  const { declines } = CARD_LIMITS;
  const [challenge, everybody] = [...declines.challenge, ...declines.everybody] as [
    AttemptLimit,
    AttemptLimit,
  ];
  const [row] = await around.rows.query<{ apart: number }>(
    `select (max(expire) - min(expire))::int as apart from card_limits where key = any($1)`,
    [[`declined:challenge:${challenge.seconds}`, `declined:everybody:${everybody.seconds}`]],
  );
  expect(row?.apart).toBe(5 * (dropMs(challenge) - dropMs(everybody)));
});
