// The schedules of a billing key, which the service lists at two paths (§4.9).

import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
beforeEach(async () => {
  await service.issueKey('card-1');
});

const entry = (merchant_uid: string, after: number) => ({
  merchant_uid,
  schedule_at: NOW + after,
  amount: 700,
});
const plan = (schedules: object[], customer_uid = 'card-1') =>
  service.post('/subscribe/payments/schedule', { customer_uid, schedules });

describe.each(['/subscribe/payments/schedule/customers/card-1', '/subscribe/customers/card-1/schedules'])(
  'schedules of a key (§4.9) at %s',
  (path) => {
    const period = `from=${NOW}&to=${NOW + 9999}`;
    const ofKey = async (query: string) =>
      (await service.get(`${path}?${query}`)).body.response.map((each: any) => each.merchant_uid);

    test('are an array of those of the key, the newest time first', async () => {
      await service.issueKey('card-2');
      await plan([entry('sub-2', 120), entry('sub-1', 60)]);
      await plan([entry('other', 60)], 'card-2');
      const { body } = await service.get(`${path}?${period}`);
      const planned = (await service.get('/subscribe/payments/schedule/sub-1')).body.response;
      expect(body).toEqual({ code: 0, message: null, response: [expect.any(Object), planned] });
      expect(await ofKey(period)).toEqual(['sub-2', 'sub-1']);
      expect(await ofKey(`from=${NOW}&to=${NOW}`)).toEqual([]);
    });

    test('are pages of 20 on setting', async () => {
      await service.settings({ billing_key_schedules_shape: 'paged' });
      await plan(Array.from({ length: 21 }, (_, index) => entry(`sub-${index}`, 60 + index)));
      const { response } = (await service.get(`${path}?${period}&page=2`)).body;
      expect(response).toEqual({
        total: 21,
        previous: 1,
        next: 0,
        list: [expect.objectContaining({ merchant_uid: 'sub-0' })],
      });
    });

    test('begin with `from` and end before `to`', async () => {
      await plan([entry('sub-1', 60), entry('sub-2', 120)]);
      expect(await ofKey(`from=${NOW + 60}&to=${NOW + 120}`)).toEqual(['sub-1']);
      expect(await ofKey(`from=${NOW + 61}&to=${NOW + 121}`)).toEqual(['sub-2']);
    });

    test('are filtered by schedule-status, and 20 on a page', async () => {
      await plan(Array.from({ length: 22 }, (_, index) => entry(`sub-${index}`, 60 + index)));
      await service.advance(60);
      expect(await ofKey(`${period}&schedule-status=executed`)).toEqual(['sub-0']);
      expect(await ofKey(period)).toHaveLength(20);
      expect(await ofKey(`${period}&page=2`)).toEqual(['sub-1', 'sub-0']);
      expect(await ofKey(`${period}&page=3`)).toEqual([]);
    });

    test('stay when the key is deleted, and are none for an unknown key', async () => {
      await plan([entry('sub-1', 60)]);
      await service.remove('/subscribe/customers/card-1');
      expect(await ofKey(period)).toEqual(['sub-1']);
      const unknown = await service.get(`${path.replace('card-1', 'nobody')}?${period}`);
      expect([unknown.status, unknown.body.response]).toEqual([200, []]);
    });

    test.each([
      ['', 'from'],
      [`to=${NOW}`, 'from'],
      [`from=${NOW}`, 'to'],
      [`from=${NOW + 1}&to=${NOW}`, 'from'],
      [`from=yesterday&to=${NOW}`, 'from'],
      [`${period}&page=0`, 'page'],
      [`${period}&schedule-status=done`, 'schedule-status'],
    ])('answer 400 for "%s"', async (query, field) => {
      const answer = await service.get(`${path}?${query}`);
      expect([answer.status, answer.body.message.split(':')[0]]).toEqual([400, field]);
    });
  },
);
