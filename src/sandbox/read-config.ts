// Reads the config from the environment of the sandbox's process and reports all problems at once, each with its
// remedy.

import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { defaultConfig, type SandboxConfig } from './config';
import { readSecretFiles } from './secret-files';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (host: string) =>
  host === 'localhost' || (isIP(host) > 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));

const secret = z
  .string()
  .min(1, 'must not be empty')
  .regex(
    /^(?!["'`])[^\p{Cc}\p{Cf}]*(?<!["'`])$/u,
    'must have neither quotation marks around it nor characters that cannot be seen, which Docker keeps',
  )
  .regex(/^(?!\s)(?!.*\s#).*(?<!\s)$/s, 'must have neither white space at its ends nor a comment behind it');

/** Every variable that is read, besides the LOG_LEVEL of server.ts. */
export const environmentSchema = z
  .object({
    NODE_ENV: z
      .string()
      .refine(
        (value) => value !== 'production',
        'is production: the sandbox is never part of a production deployment',
      )
      .optional(),
    SANDBOX_PORT: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a port number')
      .default(defaultConfig.port),
    SANDBOX_HOST: z
      .string()
      .refine((host) => isIP(host) > 0 || isLoopback(host), 'must be an IP address')
      .default(defaultConfig.host),
    // Set by the image only. The loopback of a container cannot be reached from outside; access is decided by how the
    // container's port is published.
    SANDBOX_IN_CONTAINER: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    SERVICE_KEY: secret.default(defaultConfig.serviceKey),
    SERVICE_SECRET: secret.default(defaultConfig.serviceSecret),
    SERVICE_API_KEY: secret.default(defaultConfig.apiKey),
    // Several values are separated by commas, as at the merchant; the service has one.
    WEBHOOK_SECRET: secret
      .transform((values) => values.split(',', 1)[0]?.trim() ?? '')
      .refine((value) => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value), 'must be "whsec_" and base64')
      .default(defaultConfig.webhookSecret),
    SERVICE_NAME_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]*$/, 'must be lower-case letters and digits, such as svc')
      .default(defaultConfig.namePrefix),
    SANDBOX_DATA_DIR: z.string().min(1).optional(),
    SANDBOX_WEBHOOK_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    SANDBOX_MERCHANT_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be the API key of the merchant, without spaces')
      .optional(),
  })
  .refine(({ SANDBOX_HOST, SANDBOX_IN_CONTAINER }) => SANDBOX_IN_CONTAINER || isLoopback(SANDBOX_HOST), {
    path: ['SANDBOX_HOST'],
    error: 'must be a loopback address: the controls have no password',
    // Reported together with the problems of other settings.
    when: ({ value }) => typeof (value as { SANDBOX_HOST?: unknown }).SANDBOX_HOST === 'string',
  });

/** Throws one error with a line for each invalid setting. */
export function readConfig(environment: NodeJS.ProcessEnv): SandboxConfig {
  const { settings, problems: unread } = readSecretFiles(environment);
  const result = environmentSchema.safeParse(settings);
  const refused = result.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
  const problems = [...unread, ...refused];
  if (!result.success || problems.length > 0) throw new Error(problems.join('\n'));
  const given = result.data;
  return {
    ...defaultConfig,
    port: given.SANDBOX_PORT,
    host: given.SANDBOX_HOST,
    serviceKey: given.SERVICE_KEY,
    serviceSecret: given.SERVICE_SECRET,
    apiKey: given.SERVICE_API_KEY,
    webhookSecret: given.WEBHOOK_SECRET,
    namePrefix: given.SERVICE_NAME_PREFIX,
    dataDir: given.SANDBOX_DATA_DIR,
    webhookUrl: given.SANDBOX_WEBHOOK_URL,
    merchantApiKey: given.SANDBOX_MERCHANT_API_KEY,
  };
}
