// Checks that the ports of `npm start` are free, before any part is started.

import { findPortHolder } from './port-holder';
import { freePort } from './postgres/free-port';
import type { LocalSettings } from './settings';

/** @throws Error that names every port in use, with the process that holds it if it is known */
export async function checkPorts({ merchantPort, sandboxPort }: LocalSettings): Promise<void> {
  const wanted = { PORT: merchantPort, ...(sandboxPort !== null && { SANDBOX_PORT: sandboxPort }) };
  const problems: string[] = [];
  for (const [name, port] of Object.entries(wanted)) {
    if (await isFree(port)) continue;
    const holder = findPortHolder(port);
    problems.push(
      `Port ${port} is in use${holder === null ? '' : ` by ${holder}`}: stop what listens there, or set ${name} to another port.`,
    );
  }
  if (merchantPort === sandboxPort)
    problems.push(`PORT and SANDBOX_PORT are both ${merchantPort}: they must differ.`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Some systems let one program listen on 127.0.0.1 while another listens on all addresses, so both are tried. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['0.0.0.0', '127.0.0.1']) if ((await freePort(port, host)) === null) return false;
  return true;
}
