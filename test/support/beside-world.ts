// Programs beside a world's merchant on the same database: a second Context, and the commands as processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FEATURES } from '../../src/merchant/features';
import { loadConfig } from '../../src/merchant/platform/config';
import { createContext, type Context } from '../../src/merchant/platform/context';
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

export function runCommand(
  world: World,
  name: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
) {
  const settings = { ...environmentOf(world), DATA_DIR: join(tmpdir(), 'no-such-folder') };
  const child = spawn(process.execPath, [...programArguments(`merchant/cli/${name}`), ...args], {
    env: { PATH: process.env['PATH'], ...settings, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const ended = printed.then(([output, errors, [exitCode]]) => {
    return { exitCode: exitCode as number | null, output, errors };
  });
  return { child, ended };
}
