// A shop with data of several days, for screenshots and measurements of its pages: merchant and sandbox on a throw-away
// database, with successful payments and some that need a person.

import { freePort } from '../../src/local/postgres/free-port';
import { createMemberBrowser } from '../../test/support/browsers';
import { API_KEY, OPERATOR_PASSWORD } from '../../test/support/config';
import { startTestCluster } from '../../test/support/postgres';
import { startWorld, type World } from '../../test/support/world';

const DAY_SECONDS = 86_400;

export type FilledShop = {
  world: World;
  /** `Cookie` headers of a member with two cards and of an operator. */
  cookies: { member: string; operator: string };
  /** A payment with a history. */
  svcUid: string;
  /** A finished story of the sandbox. */
  storyRun: string;
  close(): Promise<void>;
};

export async function openFilledShop(): Promise<FilledShop> {
  const cluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = cluster.templateUrl;
  // The sandbox sends the merchant's key only to this address.
  const port = await freePort(0);
  const webhookUrl = `http://127.0.0.1:${port}/webhooks/payments`;
  const world = await startWorld({
    environment: { PORT: String(port) },
    sandboxConfig: { webhookUrl, merchantApiKey: API_KEY },
  });
  const close = async () => {
    await world.close();
    await cluster.stop();
  };
  try {
    return { world, ...(await fill(world)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(world: World) {
  const member = createMemberBrowser(world);
  const { customerUid } = await member.register();
  await member.register({ card_number: '4000-0000-0000-0341' });
  const { svcUid } = await payForDays(world, customerUid);
  const operator = createMemberBrowser(world);
  await operator.post('/operator/sign-in', { by: 'kim', password: OPERATOR_PASSWORD });
  return {
    svcUid,
    cookies: { member: cookieHeader(member.cookies), operator: cookieHeader(operator.cookies) },
    storyRun: await tellStory(world),
  };
}

/** Returns the svc_uid of a partially cancelled payment. */
async function payForDays(world: World, customerUid: string): Promise<{ svcUid: string }> {
  let svcUid = '';
  for (let day = 1; day <= 6; day += 1) {
    for (let number = 1; number <= day; number += 1) {
      const order = `order-${day}${number}`;
      await world.api('POST', '/api/orders', { merchant_uid: order, name: 'Green tea', amount: 12_000 });
      const payment = await world.sandbox.pay({ merchant_uid: order, amount: number === 4 ? 100 : 12_000 });
      if (number === 1) svcUid = payment.svc_uid;
    }
    await world.sandbox.control(svcUid, 'cancel', { amount: 3_000 });
    await world.sandbox.pay({ merchant_uid: `nobody-${day}`, amount: 9_000 });
    await world.api('POST', '/api/schedules', {
      customer_uid: customerUid,
      merchant_uid: `plan-${day}`,
      name: 'Tea of the month',
      amount: 24_000,
      schedule_at: Math.floor(world.clock.nowMs() / 1000) + 20 * DAY_SECONDS,
    });
    if (day < 6) await world.advance(DAY_SECONDS);
  }
  return { svcUid };
}

async function tellStory({ sandbox }: World): Promise<string> {
  const told = await fetch(`${sandbox.url}/console/stories/forged-amount`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ how: 'rest' }),
  });
  return new URL(told.headers.get('location') ?? '', sandbox.url).searchParams.get('run') ?? '';
}

const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
