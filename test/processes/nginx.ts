// A real reverse proxy in front of several merchants: Debian's nginx, with the headers as its users set them, or as a test
// says.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/postgres/free-port';
import { eventually } from '../support/eventually';

const PATHS = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

export type Nginx = {
  url: string;
  /** Port of the merchant that took each request, in the order in which they were answered. */
  upstreamPorts(): number[];
  stop(): Promise<void>;
};

/** Null where there is none on this machine. */
export function findNginx(): string | null {
  return PATHS.find((path) => existsSync(path)) ?? null;
}

/** How its users set it up for a program that has to know the sender. */
const USUAL_HEADERS = [
  'proxy_http_version 1.1;',
  'proxy_set_header Connection "";',
  'proxy_set_header Host $http_host;',
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
];

/**
 * @param settings of the location beside `proxy_pass`
 * @param passTo for `proxy_pass`; the upstreams by name where absent
 */
export async function startNginx(
  binary: string,
  upstreams: readonly number[],
  settings: readonly string[] = USUAL_HEADERS,
  passTo = 'http://merchants',
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'two-processes-nginx-'));
  // Started by root, its worker is somebody else.
  chmodSync(folder, 0o711);
  const port = await freePort(0);
  const log = join(folder, 'access.log');
  writeFileSync(
    join(folder, 'nginx.conf'),
    configuration({ port: Number(port), upstreams, log, settings, passTo }),
  );
  const child = spawn(binary, ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await eventually(() =>
    fetch(`${url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false),
  );
  return {
    url,
    upstreamPorts: () =>
      [...readFileSync(log, 'utf8').matchAll(/:(\d+)$/gm)].map(([, number]) => Number(number)),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Configuration = {
  port: number;
  upstreams: readonly number[];
  log: string;
  settings: readonly string[];
  passTo: string;
};

/** A connection that is refused goes to the next merchant; a request that was sent is never sent twice (the default). */
function configuration({ port, upstreams, log, settings, passTo }: Configuration): string {
  const servers = upstreams.map((upstream) => `server 127.0.0.1:${upstream} fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${each};`,
  );
  return `
    daemon off;
    pid nginx.pid;
    worker_processes 1;
    events { worker_connections 1024; }
    http {
      ${temporary.join(' ')}
      log_format upstream '$upstream_addr';
      access_log ${log} upstream;
      upstream merchants { ${servers.join(' ')} keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${passTo};
          ${settings.join('\n          ')}
        }
      }
    }`;
}
