// Two merchant processes on one database count card attempts together: a second process gives nobody more of them.

import { setTimeout } from 'node:timers/promises';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start-sandbox';
import { CARD_FORM } from '../support/cards';
import { FORM_SECRET } from '../support/config';
import { ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser } from '../support/member-browser';
import { FILL_IN_MS, startMerchantProcess, type MerchantProcess } from '../support/merchant-process';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { openRows, type Rows } from '../support/rows';
import { createSandboxControls } from '../support/sandbox-controls';

let database: TestDatabase;
let rows: Rows;
let sandbox: RunningSandbox;
let merchants: MerchantProcess[] = [];

jest.setTimeout(60_000);

beforeAll(async () => {
  database = await createTestDatabase();
  rows = openRows(database.url);
  sandbox = await startSandbox({ config: { port: 0 } });
  const environment = {
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: sandbox.url,
    SERVICE_V2_BASE_URL: sandbox.url,
    FORM_SECRET,
    MEMBER_SECRET: FORM_SECRET,
    OPERATOR_PASSWORD: FORM_SECRET,
  };
  merchants = await Promise.all([startMerchantProcess(environment), startMerchantProcess(environment)]);
});
afterAll(async () => {
  await Promise.all(merchants.map((merchant) => merchant.kill('SIGKILL')));
  await sandbox?.close();
  await rows?.close();
  await database?.drop();
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
  const controls = createSandboxControls(sandbox.url);
  const body = { code: 1, message: 'declined' };
  await controls.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 20 });
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
  expect(await controls.requests(ISSUE_KEY)).toBe(5);
  expect(await rows.query('select from billing_key_issuances')).toHaveLength(5);
  // What one member tries in vain is counted against nobody else.
  const counts = `select split_part(key, ':', 1) as counted, points from card_limits
    where key not like 'member:%' order by 1`;
  expect(await rows.query(counts)).toMatchObject([
    { counted: 'address', points: 5 },
    ...Array.from({ length: 5 }, () => ({ counted: 'card', points: 1 })),
    { counted: 'declined', points: 5 },
    { counted: 'memberDaily', points: 5 },
    { counted: 'results', points: 5 },
  ]);
});
