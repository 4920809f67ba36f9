// The sandbox as a process: reads the environment, listens on loopback, drains on SIGTERM and SIGINT.
import pino from 'pino';
import { defaultConfig, type SandboxConfig } from './config';
import { startSandbox } from './start-sandbox';

function readConfig(environment: NodeJS.ProcessEnv): SandboxConfig {
  const port = Number(environment.SANDBOX_PORT ?? defaultConfig.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('SANDBOX_PORT must be a port number');
  return {
    ...defaultConfig,
    port,
    host: environment.SANDBOX_HOST ?? defaultConfig.host,
    serviceKey: environment.SERVICE_KEY ?? defaultConfig.serviceKey,
    serviceSecret: environment.SERVICE_SECRET ?? defaultConfig.serviceSecret,
    apiKey: environment.SERVICE_API_KEY ?? defaultConfig.apiKey,
    namePrefix: environment.SERVICE_NAME_PREFIX ?? defaultConfig.namePrefix,
    dataDir: environment.SANDBOX_DATA_DIR,
    webhookUrl: environment.SANDBOX_WEBHOOK_URL,
  };
}

async function main() {
  const logger = pino({ name: 'sandbox', level: process.env.LOG_LEVEL ?? 'info' });
  const sandbox = await startSandbox({ config: readConfig(process.env), logger });
  logger.info({ url: sandbox.url }, 'ready');
  process.send?.({ type: 'ready', port: sandbox.port });

  const stop = () => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(`sandbox: ${error instanceof Error ? error.message : 'could not start'}`);
  process.exit(1);
});
