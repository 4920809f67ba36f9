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
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { SHIPPED } from '../../support/processes';
import { ROOT } from '../../support/shop-copy';

export type Image = ReturnType<typeof buildImage>;

type LockEntry = { dev?: boolean; optional?: boolean; devOptional?: boolean; peer?: boolean };

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

const DOCKERFILE = read('Dockerfile').replaceAll('\\\n', ' ');
/** The last stage: the merchant's. */
const STAGE = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '));

export function buildImage() {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const [context, packages, root] = [
    join(folder, 'context'),
    join(folder, 'packages'),
    join(folder, 'image'),
  ];
  copyContext(context);
  if (!DOCKERFILE.includes('\nRUN npm run build\n')) throw new Error('the Dockerfile builds nothing');
  // The types have been checked elsewhere.
  execFileSync(process.execPath, ['scripts/build.mjs', '--noCheck'], { cwd: context, stdio: 'pipe' });
  mkdirSync(packages);
  installPackages(packages);
  const sources: Record<string, string> = { build: context, packages };
  for (const [, from, path = '', to = ''] of STAGE.matchAll(/^COPY (?:--from=(\S+) )?(\S+) (\S+)$/gm)) {
    const source = from === undefined ? context : join(sources[from] ?? '', '');
    const copied = join(source, path.replace(/^\/app\//, ''));
    // Of a folder, COPY takes what is in it.
    const isFolder = lstatSync(copied).isDirectory();
    const target = to === './' && !isFolder ? join(root, basename(path)) : join(root, to);
    // A stage is used once, so its folders are moved.
    if (from !== undefined && isFolder && !existsSync(target)) {
      mkdirSync(dirname(target), { recursive: true });
      renameSync(copied, target);
    } else cpSync(copied, target, { recursive: true });
  }
  return {
    root,
    command: JSON.parse(/^CMD (\[.*\])$/m.exec(STAGE)?.[1] ?? 'null') as string[],
    environment: Object.fromEntries(
      [...STAGE.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    ),
    /** The path that its health check asks. */
    health: String(/fetch\(`[^`]*\}(\/[^`]+)`\)/.exec(STAGE)?.[1]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The files that .dockerignore does not exclude, and the shop's files as shipped. */
function copyContext(context: string): void {
  const lines = read('.dockerignore').split('\n');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const name of allowed) cpSync(join(ROOT, name), join(context, name), { recursive: true });
  cpSync(SHIPPED, join(context, 'src', 'merchant', 'shop'), { recursive: true });
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
