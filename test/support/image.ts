// What the Dockerfile puts into the image, laid out in a folder: its own COPY lines and .dockerignore are read and carried
// out, and the merchant is built, without a container engine.

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ROOT } from './shop-copy';

export type Image = { root: string; command: string[]; environment: Record<string, string>; remove(): void };

type LockEntry = { dev?: boolean; optional?: boolean; devOptional?: boolean; peer?: boolean };

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const [context, packages, root] = ['context', 'packages', 'image'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
  copyContext(context);
  if (!dockerfile.includes('\nRUN npm run build\n')) throw new Error('the Dockerfile builds nothing');
  // The types have been checked elsewhere.
  execFileSync(process.execPath, ['scripts/build.mjs', '--noCheck'], { cwd: context, stdio: 'pipe' });
  installPackages(packages);
  const finalStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const sources: Record<string, string> = { build: context, packages };
  for (const [, stage, from = '', to = ''] of finalStage.matchAll(/^COPY (?:--from=(\w+) )?(\S+) (\S+)$/gm)) {
    const source = stage === undefined ? context : join(sources[stage] ?? '', '');
    const copied = join(source, from.replace(/^\/app\//, ''));
    // Of a folder, COPY takes what is in it.
    const isFolder = lstatSync(copied).isDirectory();
    cpSync(copied, to === './' && !isFolder ? join(root, basename(from)) : join(root, to), {
      recursive: true,
    });
  }
  return {
    root,
    command: JSON.parse(/^CMD (\[.*\])$/m.exec(finalStage)?.[1] ?? 'null') as string[],
    environment: Object.fromEntries(
      [...finalStage.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What .dockerignore lets through, and what `scripts/bootstrap.mjs` generates in the first stage. */
function copyContext(context: string): void {
  const lines = read('.dockerignore').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const name of allowed) cpSync(join(ROOT, name), join(context, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(context, 'node_modules'));
}

/** Those that `npm ci --omit=dev --omit=peer --omit=optional` installs, by the lock file, out of our own. */
function installPackages(target: string): void {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockEntry> };
  for (const [path, { dev, optional, devOptional, peer }] of Object.entries(packages)) {
    if (path === '' || dev || optional || devOptional || peer || !existsSync(join(ROOT, path))) continue;
    mkdirSync(join(target, dirname(path)), { recursive: true });
    cpSync(join(ROOT, path), join(target, path), {
      recursive: true,
      filter: (source) => !relative(join(ROOT, path), source).split(sep).includes('node_modules'),
    });
  }
}
