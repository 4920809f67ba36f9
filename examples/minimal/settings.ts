// The settings of `.env`. A missing or wrong one stops the start and is named.

import { z } from 'zod';

const addresses = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])));

const prefix = z.string().regex(/^[a-z][a-z0-9]{0,15}$/);

const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  SERVICE_BASE_URL: z.url({ protocol: /^https?$/ }),
  SERVICE_KEY: z.string(),
  SERVICE_SECRET: z.string(),
  // The live service writes its own name where its document has `svc`: in `svc_key`, `svc_secret` and `svc_uid`.
  SERVICE_NAME_PREFIX: prefix.default('svc'),
  API_KEY: z.string().min(16),
  WEBHOOK_SOURCE_ADDRESSES: addresses.default(['52.78.100.19', '52.78.48.223', '52.78.5.241']),
  TRUSTED_PROXIES: addresses.default([]),
});

export type Settings = z.infer<typeof settingsSchema>;

/** A blank setting counts as not set. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(environment).filter(([, value]) => value?.trim());
  const settings = settingsSchema.safeParse(Object.fromEntries(given));
  if (settings.success) return settings.data;
  throw new Error(`Settings are missing or wrong:\n${z.prettifyError(settings.error)}`);
}
