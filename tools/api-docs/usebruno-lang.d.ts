// The package has no types. These describe the functions used here, as in `src/index.js` of version 0.39.
declare module '@usebruno/lang' {
  type Parameter = { name: string; value: string; type: 'query' | 'path'; enabled: boolean };
  /** One file of a request. */
  export type BruRequest = {
    meta: { name: string; type: 'http'; seq: number };
    http: { method: string; url: string; body: 'json' | 'none'; auth: 'inherit' | 'none' };
    params?: Parameter[];
    body?: { json: string };
    docs: string;
  };
  export type BruFolder = {
    meta?: { name: string; seq: number };
    auth?: { mode: 'bearer' | 'inherit'; bearer?: { token: string } };
    docs: string;
  };
  export type BruEnvironment = {
    variables: { name: string; value: string; enabled: boolean; secret: boolean }[];
  };
  export function jsonToBruV2(request: BruRequest): string;
  export function jsonToCollectionBru(folder: BruFolder): string;
  export function collectionBruToJson(text: string): BruFolder;
  export function envJsonToBruV2(environment: BruEnvironment): string;
  export function bruToEnvJsonV2(text: string): BruEnvironment;
}
