// The targets of events: the shop's handlers (`shop/on-order-event.ts`), each under its name, and ORDER_EVENTS_URL. A
// name is stored with each delivery, so renaming a handler makes it another target.

import { stateOf, type Context } from '../../platform/context';
import type { ShopEvent } from '../../shop/event';
import { eventReceiver } from './settings';

export type Handler = (event: ShopEvent, context: Context) => Promise<void>;
export type Handlers = Readonly<Record<string, Handler>>;

/** The name of the only handler. */
const HANDLER = 'handler';
/** ORDER_EVENTS_URL. */
export const URL_TARGET = 'url';
/** Names are stored, logged, and labels of a metric. */
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/**
 * @param exported what the shop's file exports: one function, or several by name
 * @throws Error for no handler, or a name that cannot be used; no program then starts
 */
export function nameHandlers(exported: Handler | Handlers): Handlers {
  const handlers = typeof exported === 'function' ? { [HANDLER]: exported } : exported;
  const wrong = Object.keys(handlers).filter((name) => !NAME.test(name) || name === URL_TARGET);
  if (wrong.length > 0)
    throw new Error(
      `shop/on-order-event.ts: "${wrong.join('", "')}" cannot be the name of a handler; use up to 40 of a-z, 0-9, _ and -, a letter first, and not "${URL_TARGET}"`,
    );
  if (Object.keys(handlers).length === 0)
    throw new Error('shop/on-order-event.ts: has no handler; export one function, or several by name');
  return handlers;
}

/**
 * The handlers of this process. Features receive each event with the first handler: a target of their own would add
 * a row to each event, and none of them fails.
 */
export const handlersOf = (context: Context): ReadonlyMap<string, Handler> => stateOf(context, findHandlers);

function findHandlers(context: Context): ReadonlyMap<string, Handler> {
  const named = context.features.flatMap(({ eventHandlers = {} }) => Object.entries(eventHandlers));
  const ofFeatures = context.features.flatMap(({ onEvent }) => onEvent ?? []);
  const afterFeatures =
    (handler: Handler): Handler =>
    async (event, context) => {
      for (const each of ofFeatures) await each(event, context);
      await handler(event, context);
    };
  return new Map(named.map(([name, handler], index) => [name, index > 0 ? handler : afterFeatures(handler)]));
}

/** Where an event is delivered to now. */
export function targetsOf(context: Context): string[] {
  return [...handlersOf(context).keys(), ...(eventReceiver(context.config) === null ? [] : [URL_TARGET])];
}
