// The programs of a run under load: PostgreSQL, the sandbox and two merchants, each in its own process, and a receiver of events.
// A killed merchant starts again on its port.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../src/local/postgres/free-port';
import { API_KEY, FORM_SECRET, MEMBER_SECRET, OPERATOR_PASSWORD } from '../../../test/support/config';
import {
  compilePrograms,
  programsFolder,
  startMerchantProcess,
  startSandboxProcess,
  type MerchantProcess,
} from '../../../test/support/processes';
import { openRows, type Rows } from '../../../test/support/rows';
import { createSandboxControls, type SandboxControls } from '../../../test/support/sandbox-controls';
import { EVENTS_SECRET, startEventsReceiver, type EventsReceiver } from '../../../test/support/shop-events';
import { startKillablePostgres, type KillablePostgres } from './killable-postgres';
import { startServiceLine, type ServiceLine } from './service-line';

export type Slot = {
  url: string;
  /** Null after a kill, until it is ready again. */
  merchant: MerchantProcess | null;
};

export type Stage = {
  postgres: KillablePostgres;
  rows: Rows;
  /** Connected directly, not through the line that can be cut. */
  sandbox: SandboxControls;
  line: ServiceLine;
  receiver: EventsReceiver;
  slots: readonly [Slot, Slot];
  /** Kills the process. `startAgain` is separate, so that both merchants can be down. */
  kill(slot: Slot): Promise<void>;
  startAgain(slot: Slot): Promise<void>;
  close(): Promise<void>;
};

const ROOT = join(__dirname, '..', '..', '..');
/** Includes outages of PostgreSQL, in which a merchant may exit at its start and is started again, as by a supervisor. */
const STARTS_WITHIN_MS = 60_000;

/** @param options `nodeFlags`: additional flags of the merchants */
export async function startStage({ nodeFlags = [] }: { nodeFlags?: string[] } = {}): Promise<Stage> {
  const steps: (() => unknown)[] = [];
  const close = async () => {
    for (const step of steps.reverse()) await step();
  };
  try {
    const built = compiledPrograms(steps);
    const postgres = await startKillablePostgres();
    steps.push(postgres.close);
    const rows = openRows(postgres.url);
    steps.push(rows.close);
    const sandboxProcess = await startSandboxProcess({ root: built });
    steps.push(() => sandboxProcess.kill());
    const line = await startServiceLine(sandboxProcess.url);
    steps.push(line.close);
    const receiver = await startEventsReceiver();
    steps.push(receiver.close);

    const startAgain = async (slot: Slot): Promise<void> => {
      const until = performance.now() + STARTS_WITHIN_MS;
      while (slot.merchant === null) {
        const environment = {
          PORT: new URL(slot.url).port,
          DATABASE_URL: postgres.url,
          SERVICE_BASE_URL: line.url,
          SERVICE_V2_BASE_URL: line.url,
          ORDER_EVENTS_URL: receiver.url,
          ORDER_EVENTS_SECRET: EVENTS_SECRET,
          TRUSTED_PROXIES: '127.0.0.1',
          API_KEY,
          FORM_SECRET,
          MEMBER_SECRET,
          OPERATOR_PASSWORD,
          LOG_LEVEL: 'fatal',
        };
        slot.merchant = await startMerchantProcess(environment, { root: built, nodeFlags }).catch(
          (error: unknown) => {
            if (performance.now() > until) throw error;
            return pause(100, null);
          },
        );
      }
    };
    const kill = async (slot: Slot): Promise<void> => {
      const { merchant } = slot;
      slot.merchant = null;
      await merchant?.kill('SIGKILL');
    };
    const slots: [Slot, Slot] = [await newSlot(), await newSlot()];
    steps.push(() => Promise.all(slots.map(kill)));
    await Promise.all(slots.map(startAgain));
    const sandbox = createSandboxControls(sandboxProcess.url);
    await sandbox.settings({ webhook_url: `${slots[0].url}/webhooks/payments` });
    return { postgres, rows, sandbox, line, receiver, slots, kill, startAgain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** In a test they are compiled already. */
function compiledPrograms(steps: (() => unknown)[]): string {
  if (programsFolder() !== ROOT) return programsFolder();
  const built = compilePrograms();
  steps.push(() => rmSync(built, { recursive: true, force: true }));
  return built;
}

async function newSlot(): Promise<Slot> {
  return { url: `http://127.0.0.1:${await freePort(0)}`, merchant: null };
}
