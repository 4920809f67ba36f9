// A real reverse proxy in front of several merchants: Debian's nginx, with the headers as its users set them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/postgres/free-port';
import { eventually } from './eventually';

const PATHS = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];
/** Null if there is none on this machine. */
export const nginxBinary = PATHS.find((path) => existsSync(path)) ?? null;

/** Each stores temporary files in its own folder. */
export const TEMPORARY_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((each) => `${each}_temp_path ${each};`)
  .join('\n');

/** `describe` for tests that need nginx. Without it they are skipped with a warning. */
export function describeWithNginx(name: string, tests: () => void): void {
  if (nginxBinary === null)
    console.warn(`${name}: skipped, nginx is not here (apt-get install nginx-light).`);
  (nginxBinary ? describe : describe.skip)(name, tests);
}

export type Nginx = Awaited<ReturnType<typeof startNginx>>;

export async function startNginx(upstreams: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'two-processes-nginx-'));
  // Started by root, its worker runs as another user.
  chmodSync(folder, 0o711);
  const port = await freePort(0);
  const log = join(folder, 'access.log');
  writeFileSync(join(folder, 'nginx.conf'), configuration(Number(port), upstreams, log));
  const flags = ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')];
  const child = spawn(String(nginxBinary), flags, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await eventually(() =>
    fetch(`${url}/healthz`)
      .then(({ ok }) => ok)
      .catch(() => false),
  );
  return {
    url,
    /** Port of the merchant that took each request, in the order in which they were answered. */
    upstreamPorts: () =>
      [...readFileSync(log, 'utf8').matchAll(/:(\d+)$/gm)].map(([, number]) => Number(number)),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection that is refused goes to the next merchant; a request that was sent is never sent twice (the default). */
function configuration(port: number, upstreams: readonly number[], log: string): string {
  const servers = upstreams.map((upstream) => `server 127.0.0.1:${upstream} fail_timeout=1s;`);
  return `
    daemon off;
    pid nginx.pid;
    worker_processes 1;
    events { worker_connections 1024; }
    http {
      ${TEMPORARY_FOLDERS}
      log_format upstream '$upstream_addr';
      access_log ${log} upstream;
      upstream merchants { ${servers.join(' ')} keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://merchants;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }
      }
    }`;
}
