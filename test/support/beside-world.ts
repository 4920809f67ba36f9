// Programs beside a world's merchant on the same database: a second Context, and the commands, in this process or their own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execute, type Command } from '../../src/merchant/cli/command';
import { FEATURES } from '../../src/merchant/features';
import { createContext, type Context } from '../../src/merchant/platform/context';
import { loadConfig } from '../../src/merchant/settings';
import { TEST_ENVIRONMENT } from './config';
import { programArguments } from './processes';
import type { World } from './world';

function environmentOf(world: World): Record<string, string> {
  return {
    ...TEST_ENVIRONMENT,
    DATABASE_URL: world.databaseUrl,
    SERVICE_BASE_URL: world.sandbox.url,
    SERVICE_V2_BASE_URL: world.sandbox.url,
  };
}

/** The Context of another process; `closeContext` ends it. Its host's clock can differ from the service's. */
export function openContext(
  world: World,
  {
    hostOffBySeconds = 0,
    environment = {},
  }: { hostOffBySeconds?: number; environment?: Record<string, string> } = {},
): Context {
  const now = () => new Date(world.clock.nowMs() + hostOffBySeconds * 1000);
  return createContext({
    config: loadConfig({ ...environmentOf(world), ...environment }),
    clock: { ...world.clock, now },
    logger: world.log.logger,
    features: FEATURES,
  });
}

const commandEnvironment = (world: World) => ({
  ...environmentOf(world),
  DATA_DIR: join(tmpdir(), 'no-such-folder'),
});

/** Runs a command in this process, which is faster. Its settings and its output are its own. */
export async function runHere(
  world: World,
  command: Command,
  args: string[],
  environment: Record<string, string> = {},
) {
  let [output, errors] = ['', ''];
  const replaced = jest.replaceProperty(process, 'env', { ...commandEnvironment(world), ...environment });
  try {
    const exitCode = await execute(command, args, {
      stdout: { write: (text) => (output += text) },
      stderr: { write: (text) => (errors += text) },
    });
    return { exitCode, output, errors };
  } finally {
    replaced.restore();
  }
}

/** Runs a command as a process. */
export function runCommand(world: World, name: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [...programArguments(`merchant/cli/${name}`), ...args], {
    env: { PATH: process.env['PATH'], ...commandEnvironment(world) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const ended = printed.then(([output, errors, [exitCode]]) => {
    return { exitCode: exitCode as number | null, output, errors };
  });
  return { child, ended };
}
