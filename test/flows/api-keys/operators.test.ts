// The operator pages of API keys, as those of operators: which role is led to them, what the audit log records, and what they escape.

import { escapedIn, MARKUP } from '../../support/markup';
import { useWorld } from '../../support/use-world';
import { makeAccount, signInAs } from '../operator/accounts-setup';

const world = useWorld();
const ROLES = ['view', 'decide', 'refund', 'admin'] as const;
beforeAll(async () => {
  for (const role of ROLES) await makeAccount(world, role, role);
});
const as = async (role: (typeof ROLES)[number]) => (await signInAs(world, role)).browser;

test('only administrators are led to the API keys', async () => {
  const led: string[] = [];
  for (const role of ROLES)
    if ((await (await as(role)).get('/operator')).html.includes('href="/operator/api-keys"')) led.push(role);
  expect(led).toEqual(['admin']);
});

test('a key that is added is in the audit log, without the key', async () => {
  const admin = await as('admin');
  const { html, headers } = await admin.post('/operator/api-keys', { name: 'audited', scopes: 'read' });
  const [key] = await world.rows.query<{ id: string }>(`select id from api_keys where name = 'audited'`);
  const rows = await world.rows.query('select * from operator_actions where request_id = $1', [
    headers.get('x-request-id'),
  ]);
  const added = { subject: 'api-keys', action: 'add', outcome: 'done', detail: { api_key_id: key?.id } };
  expect(rows).toMatchObject([added]);
  const [secret] = /mkey_[\w-]{20,}/.exec(html) ?? [];
  expect(secret).toBeDefined();
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('a name that is refused is escaped where it is shown again', async () => {
  const admin = await as('admin');
  const refused = await admin.post('/operator/api-keys?lang=en', { name: MARKUP, scopes: 'read' });
  expect(escapedIn('api-keys', refused, 400)).toBeGreaterThan(0);
});
