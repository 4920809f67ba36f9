// `npm run tool -- sandbox-clients`: runs published clients of the service, unchanged, against the sandbox. npm fetches them into
// a temporary folder, without their install scripts; each runs in its own process.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSandboxProcess } from '../../test/support/processes';
import type { Played } from './play';
import { PUBLISHED_CLIENTS } from './published-clients';

/** The prefix of the service's names in these clients. */
const NAME_PREFIX = 'imp';
const MAX_PLAY_MS = 60_000;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'published-clients-'));
  const sandbox = await startSandboxProcess({ namePrefix: NAME_PREFIX });
  try {
    install(folder);
    for (const { name, version } of PUBLISHED_CLIENTS) {
      const played = await playInProcess(name, folder, sandbox.url);
      process.stdout.write(`${name} ${version}\n${played.map(toLine).join('')}\n`);
      if (played.some(({ isWrong }) => isWrong)) process.exitCode = 1;
    }
  } finally {
    await sandbox.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder: string): void {
  const packages = PUBLISHED_CLIENTS.map(({ name, version }) => `${name}@${version}`);
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  execFileSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function playInProcess(name: string, folder: string, url: string): Promise<Played[]> {
  const program = ['--import', 'tsx', join(__dirname, 'play-client.ts'), name, folder, url];
  const { stdout } = await promisify(execFile)(process.execPath, program, { timeout: MAX_PLAY_MS });
  return JSON.parse(stdout) as Played[];
}

const toLine = ({ operation, came, isWrong }: Played) =>
  `  ${operation.padEnd(26)}${isWrong ? 'WRONG: ' : ''}${came}\n`;

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
