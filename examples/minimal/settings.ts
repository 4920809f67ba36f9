// The settings of `.env`. A missing or wrong one stops the start and is named.

import { z } from 'zod';

const addresses = z.string().transform((text) => text.split(',').map((address) => address.trim()));

const settingsSchema = z.object({
  PORT: z.coerce.number().int().default(3000),
  DATABASE_URL: z.url(),
  SERVICE_BASE_URL: z.url(),
  SERVICE_KEY: z.string().min(1),
  SERVICE_SECRET: z.string().min(1),
  API_KEY: z.string().min(16),
  WEBHOOK_SOURCE_ADDRESSES: addresses.default(['52.78.100.19', '52.78.48.223', '52.78.5.241']),
  TRUSTED_PROXIES: addresses.default([]),
});

export type Settings = z.infer<typeof settingsSchema>;

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const settings = settingsSchema.safeParse(environment);
  if (settings.success) return settings.data;
  throw new Error(`Settings are missing or wrong:\n${z.prettifyError(settings.error)}`);
}
