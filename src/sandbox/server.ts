// The sandbox as a process: it listens on loopback, reports its port, and saves its state on SIGTERM and SIGINT.

import pino from 'pino';
import { readConfig } from './read-config';
import { startSandbox } from './start-sandbox';

async function main() {
  // The same format as the merchant's lines, because `npm start` prints both.
  const logger = pino({
    level: process.env.LOG_LEVEL ?? 'info',
    base: { pid: process.pid, name: 'sandbox' },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  const sandbox = await startSandbox({ config: readConfig(process.env), logger });
  logger.info({ url: sandbox.url, console: `${sandbox.url}/console` }, 'ready');
  process.send?.({ type: 'ready', port: sandbox.port });

  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The process that started this one over IPC has ended, perhaps killed, and cannot send a signal any more.
  process.on('disconnect', stop);
}

main().catch((error: unknown) => {
  console.error(`The sandbox cannot start.\n${error instanceof Error ? error.message : 'unknown error'}`);
  process.exit(1);
});
