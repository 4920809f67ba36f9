// The settings of the sandbox. Only server.ts reads the environment; tests pass a part of this.

export type SandboxConfig = {
  serviceKey: string;
  serviceSecret: string;
  apiKey: string;
  /** Signs the notifications of the newer generation's present form: `whsec_` and the key in base64. */
  webhookSecret: string;
  /** The prefix of the live service's own names. Only http/wire-names.ts applies it. */
  namePrefix: string;
  host: string;
  /** 0 means any free port. */
  port: number;
  /** Folder for the saved state. With undefined, everything is kept in memory only. */
  dataDir: string | undefined;
  /** The initial `webhook_url` of the settings, also after a reset. */
  webhookUrl: string | undefined;
  /**
   * Credential of the merchant's API. Console and stories register orders with it. It is sent to the origin of
   * `webhookUrl` only, and never shown or logged. Without it, orders have to be registered by hand.
   */
  merchantApiKey: string | undefined;
  connectTimeoutMs: number;
  readTimeoutMs: number;
  slowCardMs: number;
  /** A request that has not arrived within this time is ended with a 408, at most a second later. */
  requestTimeoutMs: number;
};

export const defaultConfig: SandboxConfig = {
  serviceKey: 'sandbox_key',
  serviceSecret: 'sandbox_secret',
  apiKey: 'sandbox_api_key',
  webhookSecret: `whsec_${'sandbox/'.repeat(5)}`,
  namePrefix: 'svc',
  host: '127.0.0.1',
  port: 4010,
  dataDir: undefined,
  webhookUrl: undefined,
  merchantApiKey: undefined,
  connectTimeoutMs: 10_000, // §6.3
  readTimeoutMs: 30_000, // §6.3
  slowCardMs: 3_000,
  requestTimeoutMs: 12_000,
};
