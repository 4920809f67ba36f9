// The names of the shop's handlers: they are stored, so a program with a name that cannot be stored does not start.

import {
  handlersOf,
  nameHandlers,
  targetsOf,
  type Handler,
} from '../../../../src/merchant/core/events/handlers';
import type { Context, FeatureRows } from '../../../../src/merchant/platform/context';
import type { ShopEvent } from '../../../../src/merchant/shop/event';

const NOTHING: Handler = () => Promise.resolve();

test('one function is the handler "handler"; several keep their names', () => {
  expect(nameHandlers(NOTHING)).toEqual({ handler: NOTHING });
  expect(nameHandlers({ mail: NOTHING, shipping: NOTHING })).toEqual({ mail: NOTHING, shipping: NOTHING });
});

test.each(['url', 'Mail', '1st', 'a b', '', 'a'.repeat(41)])('"%s" cannot be a name', (name) => {
  expect(() => nameHandlers({ mail: NOTHING, [name]: NOTHING })).toThrow(
    /shop\/on-order-event\.ts: ".*" cannot/,
  );
});

test('no handler at all is a mistake', () => {
  expect(() => nameHandlers({})).toThrow(/has no handler/);
});

test('features are told once, before the first handler', async () => {
  const told: string[] = [];
  const note = (name: string) => () => Promise.resolve(void told.push(name));
  const features: FeatureRows[] = [
    { name: 'subscriptions', onEvent: note('subscriptions') },
    { name: 'shop', eventHandlers: nameHandlers({ mail: note('mail'), shipping: note('shipping') }) },
  ];
  const context = { features, config: { values: {} }, state: new Map() } as unknown as Context;
  for (const handler of handlersOf(context).values()) await handler({} as ShopEvent, context);
  expect(told).toEqual(['subscriptions', 'mail', 'shipping']);
  expect(targetsOf(context)).toEqual(['mail', 'shipping']);
});
