// What can be set from outside. The environment is read in server.ts only; tests pass a part of this.
export type SandboxConfig = {
  serviceKey: string;
  serviceSecret: string;
  apiKey: string;
  /** The live service's own name prefix; known to http/wire-names.ts only. */
  namePrefix: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Folder for the saved state; undefined keeps everything in memory. */
  dataDir: string | undefined;
  /** `webhook_url` of the settings at the start and after a reset. */
  webhookUrl: string | undefined;
  connectTimeoutMs: number;
  readTimeoutMs: number;
  slowCardMs: number;
};

export const defaultConfig: SandboxConfig = {
  serviceKey: 'sandbox_key',
  serviceSecret: 'sandbox_secret',
  apiKey: 'sandbox_api_key',
  namePrefix: 'svc',
  host: '127.0.0.1',
  port: 4010,
  dataDir: undefined,
  webhookUrl: undefined,
  connectTimeoutMs: 10_000, // §6.3
  readTimeoutMs: 30_000, // §6.3
  slowCardMs: 3_000,
};
