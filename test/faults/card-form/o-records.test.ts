// PostgreSQL refuses a value of a card that is being registered, for ever (row O16 of docs/13-faults.md).

import { createMemberBrowser } from '../../support/browsers';
import { CARD_FORM } from '../../support/cards';
import { issuancesOf, keyOf, registerKey } from '../../support/keys';
import { refuseRows } from '../../support/refused-rows';
import { useWorld } from '../../support/use-world';

// The refused rows of a test are those of its own card.
const world = useWorld();

test.each([
  ['record', 'billing_keys', (uid: string) => `new.customer_uid = '${uid}' and new.status = 'active'`],
  ['event', 'events', (uid: string) => `new.stream = 'card:${uid}'`],
])(
  'O16 a card whose %s PostgreSQL refuses is left to a person, and others are registered',
  async (_, ...rows) => {
    const [table, condition] = rows;
    const member = createMemberBrowser(world);
    const form = await member.openForm();
    await refuseRows(world, table, condition(form.customer_uid));
    expect((await member.post('/cards', { ...form, ...CARD_FORM })).status).toBe(202);
    await world.advance(120);
    const refused = { status: 'needs_review', reason: 'value_refused', polls: 0 };
    expect(await issuancesOf(world, form.customer_uid)).toMatchObject([refused]);
    expect((await member.get('/cards')).html).toContain('보내신 카드가 맞는지 확인하지 못했어요.');
    const { customerUid } = await registerKey(world);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'active' });
  },
);
