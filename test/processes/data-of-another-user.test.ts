// A data folder of another user, as after a start with sudo: each command names the file and the remedy.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The sources, because another user cannot read the folder of the compiled programs. */
const CLI = join(__dirname, '..', '..', 'src', 'merchant', 'cli');
const NOBODY = 65_534;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'of-another-user-'));
  chmodSync(folder, 0o755);
  const secret = join(folder, 'form-secret.secret');
  writeFileSync(secret, 'a-secret');
  chmodSync(secret, process.getuid?.() === 0 ? 0o600 : 0);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([['doctor'], ['explain', 'order-1']])(
  'a folder that %s cannot read is named with the remedy, and with no place in our code',
  (name, ...args) => {
    // Loaded by the owner of the sources, and run by a user who owns nothing.
    const script = `
      const { execute } = require(${JSON.stringify(join(CLI, 'command.ts'))});
      const { command } = require(${JSON.stringify(join(CLI, `${name}.ts`))});
      if (process.getuid() === 0) process.seteuid(${NOBODY});
      execute(command, ${JSON.stringify(args)}, process).then((code) => process.exit(code));`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--eval', script], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATA_DIR: folder },
    });
    expect(stderr).toMatch(
      /^\S+\/form-secret\.secret cannot be opened by this user \(EACCES\): .*\b(chown|chmod) -R \S+ '\S+'\n$/,
    );
    expect(stderr).toContain(`'${folder}'`);
    expect(status).toBe(2);
  },
);
