// `npm run tool -- sbom [file]`: writes a CycloneDX list of the production software to the file or to standard output: the
// packages that the Dockerfile installs, and its base image. npm's own `--omit dev` with `--package-lock-only` also omits
// packages that a development tool needs as well, such as zod and qs (npm 10.8.2 and 11.19.1).

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (name) => readFileSync(join(root, name), 'utf8');
const { name, version, license, dependencies: direct } = JSON.parse(read('package.json'));
const ROOT_REF = `${name}@${version}`;

const [target] = process.argv.slice(2);
const text = `${JSON.stringify(ofProduction(listAll()), null, 2)}\n`;
if (target === undefined) process.stdout.write(text);
else writeFileSync(target, text);

/** Every package of the lock file. Needs neither installed packages nor a network. */
function listAll() {
  const npm = process.env.npm_execpath;
  const flags = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline'];
  const [command, args] =
    npm && basename(npm) === 'npm-cli.js' ? [process.execPath, [npm, ...flags]] : ['npm', flags];
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`"npm sbom" failed:\n${stderr}`);
  return JSON.parse(stdout);
}

function ofProduction(all) {
  const kept = installedInImage();
  const base = baseImage();
  const components = new Map();
  for (const component of all.components)
    if (kept.has(component['bom-ref']))
      components.set(component['bom-ref'], { ...component, scope: 'required' });
  const missing = [...kept].filter((ref) => !components.has(ref));
  if (missing.length > 0) throw new Error(`"npm sbom" does not list ${missing.join(', ')}`);
  const dependencies = new Map();
  for (const { ref, dependsOn } of all.dependencies)
    if (kept.has(ref)) dependencies.set(ref, { ref, dependsOn: dependsOn.filter((each) => kept.has(each)) });
  const ofRoot = Object.entries(direct).map(([each, pinned]) => `${each}@${pinned}`);
  dependencies.set(ROOT_REF, { ref: ROOT_REF, dependsOn: [...ofRoot, base['bom-ref']] });
  return {
    ...all,
    metadata: {
      ...all.metadata,
      // npm would name it after the folder of the checkout.
      component: {
        'bom-ref': ROOT_REF,
        type: 'application',
        name,
        version,
        purl: `pkg:npm/${name}@${version}`,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...components.values(), base],
    dependencies: [...dependencies.values()],
  };
}

/** The packages that `npm ci --omit=dev --omit=peer --omit=optional` installs, by the flags in the lock file. */
function installedInImage() {
  const entries = Object.entries(JSON.parse(read('package-lock.json')).packages).filter(
    ([path, { dev, optional, devOptional, peer }]) =>
      path !== '' && !(dev || optional || devOptional || peer),
  );
  return new Set(
    entries.map(([path, entry]) => {
      const folder = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${entry.name ?? folder}@${entry.version}`;
    }),
  );
}

/** The base image by its digest. Its Debian packages are not listed: a scanner finds them by the digest. */
function baseImage() {
  const [, image, tag, algorithm, digest] =
    /^ARG NODE_IMAGE=([\w./-]+):([\w.-]+)@(\w+):([0-9a-f]+)$/m.exec(read('Dockerfile')) ?? [];
  if (!digest) throw new Error('The Dockerfile names no base image with its digest.');
  return {
    'bom-ref': `${image}@${algorithm}:${digest}`,
    type: 'container',
    name: image,
    version: tag,
    scope: 'required',
    purl: `pkg:docker/${image}@${algorithm}%3A${digest}?tag=${tag}`,
    hashes: [{ alg: 'SHA-256', content: digest }],
  };
}
