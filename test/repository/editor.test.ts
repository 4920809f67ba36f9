// What an editor and a container for development start is there: files, scripts, ports.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig } from '../../src/sandbox/config';
import { ROOT } from '../support/shop-copy';

const readJson = (path: string): any => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const { scripts } = readJson('package.json');
const launch = readJson('.vscode/launch.json');
const devcontainer = readJson('.devcontainer/devcontainer.json');

test('every setting for the debugger starts a script or a file that is there', () => {
  const started = launch.configurations.map(({ name, request, runtimeArgs, program, processId }: any) => {
    if (request === 'attach') return [name, processId === '${command:PickProcess}'];
    if (program) return [name, existsSync(program.replace('${workspaceFolder}', ROOT))];
    const [script] = runtimeArgs.filter((word: string) => word !== 'run');
    return [name, script in scripts];
  });
  expect(started.length).toBeGreaterThan(4);
  for (const [name, isThere] of started) expect([name, isThere]).toEqual([name, true]);
});

test('the test file that is open is the one that runs', () => {
  const { program, args } = launch.configurations.find(
    ({ name }: any) => name === 'The test file that is open',
  );
  const file = 'test/repository/editor.test.ts';
  const words = args.map((arg: string) => arg.replace('${relativeFile}', file));
  const jest = [program.replace('${workspaceFolder}', ROOT), '--listTests', ...words];
  const listed = execFileSync(process.execPath, jest, { cwd: ROOT, encoding: 'utf8' });
  expect(listed.trim()).toBe(join(ROOT, file));
});

test('every task is a script', () => {
  const { tasks } = readJson('.vscode/tasks.json');
  expect(tasks.filter(({ type, script }: any) => type !== 'npm' || !(script in scripts))).toEqual([]);
});

test('the container for development prepares itself, forwards both programs by name, and has the same extensions', () => {
  const { postCreateCommand, forwardPorts, portsAttributes, customizations, build } = devcontainer;
  const [node, file] = postCreateCommand.split(' ');
  expect([node, existsSync(join(ROOT, file))]).toEqual(['node', true]);
  expect(existsSync(join(ROOT, '.devcontainer', build.dockerfile))).toBe(true);
  const merchantPort = Number(/^# PORT=(\d+)$/m.exec(readFileSync(join(ROOT, '.env.example'), 'utf8'))?.[1]);
  expect(forwardPorts).toEqual([merchantPort, defaultConfig.port]);
  expect(Object.keys(portsAttributes)).toEqual(forwardPorts.map(String));
  for (const { label } of Object.values<any>(portsAttributes)) expect(label).toMatch(/^[A-Z]/);
  expect(customizations.vscode.extensions).toEqual(readJson('.vscode/extensions.json').recommendations);
});
