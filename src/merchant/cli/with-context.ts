// A command's own Context: the same stores, payment service and judgement as the server's, without the server.

import { systemClock } from '../clock';
import type { Config } from '../config';
import { closeContext, createContext, type Context } from '../context';
import { createLogger } from '../logger';

/** Closes the Context when the work has ended. Nothing is logged: a command answers on standard output. */
export async function withContext<Result>(
  config: Config,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = createContext({ config, clock: systemClock, logger: createLogger('silent') });
  try {
    return await work(context);
  } finally {
    await closeContext(context);
  }
}
