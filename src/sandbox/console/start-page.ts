// The values of the getting-started page: how to start the sandbox alone, its settings, and ten calls.

import type { Request } from 'express';
import { defaultConfig } from '../config';
import type { Locale } from '../locales/ko';
import type { Service } from '../service';
import { firstCalls } from './first-calls';
import { placesOf } from './scene-of';

type Name = keyof Locale['landing']['start']['environment'];

/** The defaults; null if there is none. */
const ENVIRONMENT: Record<Name, string | null> = {
  SANDBOX_PORT: String(defaultConfig.port),
  SANDBOX_HOST: defaultConfig.host,
  SANDBOX_IN_CONTAINER: 'false',
  SANDBOX_DATA_DIR: null,
  SANDBOX_WEBHOOK_URL: null,
  SANDBOX_MERCHANT_API_KEY: null,
  SERVICE_KEY: defaultConfig.serviceKey,
  SERVICE_SECRET: defaultConfig.serviceSecret,
  SERVICE_API_KEY: defaultConfig.apiKey,
  WEBHOOK_SECRET: defaultConfig.webhookSecret,
  SERVICE_NAME_PREFIX: defaultConfig.namePrefix,
  LOG_LEVEL: 'info',
};

export function viewStart(service: Service, request: Request, { landing: { start: t } }: Locale) {
  const { sandboxUrl } = placesOf(request, service);
  return {
    linkedTo: service.config.webhookUrl ?? null,
    environment: (Object.keys(ENVIRONMENT) as Name[]).map((name) => ({
      name,
      usual: ENVIRONMENT[name] ?? t.none,
      meaning: t.environment[name],
    })),
    calls: firstCalls(service.config, sandboxUrl).map(({ name, line }) => ({
      name: t.callNames[name],
      line,
    })),
  };
}
