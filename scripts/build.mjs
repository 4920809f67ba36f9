// `npm run build`: compiles the merchant for deployment, into `dist/` or the named folder. At run time it needs only the
// packages of that folder or of one above it. `--noCheck` skips the type check; `--sandbox` compiles the sandbox for its image.

import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const [folder = join(root, 'dist')] = process.argv.slice(2).filter((argument) => !given.includes(argument));
const isSandbox = given.includes('--sandbox');
const flags = given.filter((argument) => argument !== '--sandbox');
const target = resolve(folder);
const BESIDE = isSandbox
  ? ['package.json', 'views/sandbox', 'views/shared']
  : ['package.json', 'prisma/migrations', 'views/merchant', 'views/shared'];

rmSync(target, { recursive: true, force: true });
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const options = [
  '--project',
  join(root, 'scripts', isSandbox ? 'tsconfig.sandbox.json' : 'tsconfig.build.json'),
  '--outDir',
  target,
  ...flags,
];
const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
if (status === 0)
  for (const path of BESIDE) cpSync(join(root, path), join(target, path), { recursive: true });
process.exitCode = status ?? 1;
