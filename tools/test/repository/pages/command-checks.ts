// Checks a command of a page without running it: scripts, files, options
// and arguments exist, and its route accepts a request.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API } from '../../../../src/merchant/features';
import { ROOT } from '../../../../test/support/shop-copy';
import { documentedRequest, type DocumentedRequest } from './documented-requests';
import type { ShellCommand } from './shell-commands';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const isThere = (path: string) => existsSync(join(ROOT, path));
type Manifest = Record<'scripts' | 'dependencies' | 'devDependencies', Record<string, string>>;
const manifest = JSON.parse(read('package.json')) as Manifest;
const ofTools = JSON.parse(read('tools/package.json')) as Manifest;
const programsOfTools = JSON.parse(read('tools/programs.json')) as Record<string, Record<string, string[]>>;
const STAGES = [...read('Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);

/** By program. Each returns the problem of a command, or null. */
const CHECKS: Record<string, (args: string[]) => string | null> = {
  npm: npmProblem,
  npx: npxProblem,
  node: ([file = '']) => missing(file.replace(/^dist\/(.*)\.js$/, '$1.ts')),
  bash: ([file = '']) => missing(file),
  git: ([command, ...paths]) => (command === 'rm' ? missingPath(paths) : `no page calls git ${command}`),
  cp: missingPath,
  docker: dockerProblem,
  openssl: (args) => (/^rand -(base64|hex) \d+$/.test(args.join(' ')) ? null : 'openssl makes secrets here'),
  // A database of the reader.
  psql: ([database]) => (database?.startsWith('$') ? null : 'psql is called with a database of ours'),
  sleep: ([seconds]) => (/^\d+$/.test(seconds ?? '') ? null : 'sleep takes seconds'),
  read: () => null,
  break: () => null,
};

export function commandProblem(command: ShellCommand): string | null {
  const [program, ...args] = command.words;
  if (program === undefined) return null;
  const request = documentedRequest(command);
  if (request) return requestProblem(request);
  const check = CHECKS[program];
  return check ? check(args) : `no check in tools/test/repository/pages/command-checks.ts knows ${program}`;
}

const missing = (path: string) => (isThere(path) ? null : `${path} is not there`);

function missingPath(args: string[]): string | null {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  return paths.map(missing).find((problem) => problem !== null) ?? null;
}

function npmProblem([command = '', ...args]: string[]): string | null {
  if (command === 'install') {
    const pinned = { ...manifest.dependencies, ...manifest.devDependencies, ...ofTools.devDependencies };
    const packages = args.filter((arg) => !arg.startsWith('--'));
    const unknown = packages.find((named) => {
      const [name = '', version] = named.split(/(?<=.)@/);
      return pinned[name] === undefined || (version !== undefined && version !== pinned[name]);
    });
    return unknown === undefined ? null : `no test here uses the package ${unknown}`;
  }
  const [name = '', ...rest] = command === 'run' ? args : [command, ...args];
  const script = manifest.scripts[name]?.split(' && ').at(-1);
  if (script === undefined) return `package.json has no script ${name}`;
  const source = script.split(' ').find((word) => /^[\w/.-]+\.(ts|mjs)$/.test(word));
  if (rest.length === 0) return null;
  if (rest[0] !== '--') return 'npm keeps arguments before -- for itself';
  if (source === GROUPS) return programProblem(name, rest.slice(1));
  if (source === undefined) return npxProblem([...script.split(' '), ...rest.slice(1)]);
  const unknown = rest.slice(1).find((arg) => arg.startsWith('--') && !read(source).includes(arg));
  return unknown === undefined ? null : `${name} does not know ${unknown}`;
}

/** `npm run proof`, `bench` and `tool` run one program of their group. */
const GROUPS = 'scripts/run.mjs';

function programProblem(group: string, [name = '', ...args]: string[]): string | null {
  const own = new RegExp(`\\n  '?${name}'?: \\['([^']+)'`).exec(read(GROUPS))?.[1];
  const file = programsOfTools[group]?.[name]?.[0] ?? (group === 'tool' ? own : undefined);
  if (file === undefined) return `there is no ${name} in ${group}`;
  const unknown = args.find((arg) => arg.startsWith('--') && !read(file).includes(arg));
  return unknown === undefined ? null : `${name} does not know ${unknown}`;
}

function npxProblem([name = '', ...args]: string[]): string | null {
  if (!['.', 'scripts', 'tools'].some((folder) => isThere(join(folder, 'node_modules', '.bin', name))))
    return `no installed package has the command ${name}`;
  if (name !== 'jest') return null;
  const tests = ['test', 'tools/test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((test) => `${folder}/${test}`),
  );
  const paths = args.filter((arg) => /^(tools\/)?test\//.test(arg));
  // jest takes the beginning of a path as well.
  return paths.find((path) => !tests.some((test) => test.startsWith(path))) ?? null;
}

function dockerProblem(args: string[]): string | null {
  const target = args[args.indexOf('--target') + 1];
  if (args.includes('--target') && !STAGES.includes(target)) return `the Dockerfile has no stage ${target}`;
  const file = args.find((arg) => arg.endsWith('.js'));
  return file === undefined ? null : missing(file.replace(/js$/, 'ts'));
}

/** Path, method, query, body and headers as its route takes them. */
function requestProblem(request: DocumentedRequest): string | null {
  const { to, method, path, body, contentType, sendsKey } = request;
  if (body !== null && contentType !== 'application/json')
    return 'the body goes out with another content type';
  if (to === 'sandbox') return sandboxProblem(method, path);
  // A variable in a path or a query is the id of a payment.
  const url = new URL(path.replace(/\$[A-Z_]+/g, 'svc_1'), 'http://merchant');
  const route = API.routes.find(
    (each) =>
      each.method.toUpperCase() === method &&
      new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
  );
  if (!route) return `no route takes ${method} ${url.pathname}`;
  if (route.access !== 'open' && !sendsKey) return 'the key is missing';
  const query = Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((name) => {
      const [first, ...more] = url.searchParams.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
  const unknown = Object.keys(query).find((name) => !Object.keys(route.query?.shape ?? {}).includes(name));
  if (unknown !== undefined) return `the query has no ${unknown}`;
  const wrongQuery = route.query?.safeParse(query).error;
  if (wrongQuery) return `query: ${wrongQuery.message}`;
  // A variable has the result of the page's own statement.
  if (body === null || /^\$\w+$/.test(body))
    return route.body && body === null ? bodyProblem(route, {}) : null;
  return bodyProblem(route, JSON.parse(body.replace(/\$([A-Z_]+)/g, '$1')));
}

function bodyProblem({ body }: (typeof API.routes)[number], value: unknown): string | null {
  if (!body) return 'its route takes no body';
  return body.schema.safeParse(value).error?.message ?? null;
}

/** docs/11-sandbox.md has every control of the sandbox. */
function sandboxProblem(method: string, path: string): string | null {
  const pattern = path.split('?')[0]?.replace(/\/(?:svc_\w+|\$[A-Z_]+)\//, '/{svc_uid}/');
  return read('docs/11-sandbox.md').includes(`\`${method} ${pattern}\``)
    ? null
    : `docs/11-sandbox.md has no ${method} ${pattern}`;
}
