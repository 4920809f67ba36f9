// `npm run adopt` in a copy of the repository with a history of its own: what it refuses, what it
// writes, and how a later version is taken. tools/check-adopted.mjs runs the checks and tests of what it writes.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repositoryFiles } from '../../../test/support/repository-files';
import { ROOT } from '../../../test/support/shop-copy';
import { copyRepository, removeCopy } from '../../proof/copy-repository';
import { anchorsOf, isExternal, linksOf } from '../repository/pages/markdown-links';

jest.setTimeout(900_000);
const NOWHERE = { HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' };
/** Root on Linux can disconnect from the network; elsewhere the proxy of this environment does not exist. */
const canLeaveNetwork = spawnSync('unshare', ['--net', 'true']).status === 0;

let source: string;
let shops: string;
let shop: string;
beforeAll(() => {
  source = copyRepository('adopt');
  shops = mkdtempSync(join(tmpdir(), 'shops-'));
  shop = join(shops, 'tea-house');
  git(source, 'init', '--quiet');
  commit(source, 'one', ':!node_modules', ':!scripts/node_modules', ':!tools/node_modules');
});
afterAll(() => {
  removeCopy(source);
  rmSync(shops, { recursive: true });
});

function command(args: string[]): [string, string[]] {
  const whole = [process.execPath, join(source, 'scripts', 'adopt.mjs'), ...args];
  const [program = '', ...rest] = canLeaveNetwork ? ['unshare', '--net', ...whole] : whole;
  return [program, rest];
}

function adopt(...args: string[]): { status: number | null; output: string } {
  const [program, rest] = command(args);
  const env = { ...process.env, ...NOWHERE, INIT_CWD: shops };
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd: source, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function git(folder: string, ...args: string[]): string {
  const settings = [
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@localhost',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function commit(folder: string, message: string, ...except: string[]): void {
  git(folder, 'add', '--all', '--', '.', ...except);
  git(folder, 'commit', '--quiet', '--message', message);
}

const read = (path: string) => readFileSync(join(shop, path), 'utf8');
const manifest = () => JSON.parse(read('package.json')) as Record<string, Record<string, unknown>>;

function change(folder: string, path: string, act: (text: string) => string): void {
  const file = join(folder, path);
  writeFileSync(file, act(readFileSync(file, 'utf8')));
}

/** To a file of the shop, and to a heading of it. */
function leadsSomewhere(page: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? page : join(dirname(page), target);
  if (!existsSync(join(shop, path))) return false;
  return (
    anchor === undefined ||
    !path.endsWith('.md') ||
    anchorsOf(read(path)).includes(decodeURIComponent(anchor))
  );
}

describe('O18 it refuses in one sentence, and writes nothing,', () => {
  const refused: [string, string[], RegExp][] = [
    ['a folder that is not empty', ['full'], /^.*\/full is not empty: name a new or an empty folder\.\n$/],
    ['a file', ['full/own.txt'], /^.*own\.txt is not a folder\.\n$/],
    ['a folder in a folder that is not there', ['none/shop'], /^There is no folder .*\/none\.\n$/],
    [
      'an unknown option',
      ['shop', '--keep', 'checkout,operators'],
      /^There is no option operators\. Options: .*\n$/,
    ],
  ];
  test.each(refused)('%s', (_, args, message) => {
    mkdirSync(join(shops, 'full'), { recursive: true });
    writeFileSync(join(shops, 'full', 'own.txt'), 'mine');
    const { status, output } = adopt(...args);
    expect(status).toBeGreaterThan(0);
    expect(output).toMatch(message);
    expect(readdirSync(shops, { recursive: true })).toEqual(['full', join('full', 'own.txt')]);
    rmSync(join(shops, 'full'), { recursive: true });
  });

  test('a folder within this repository', () => {
    const { status, output } = adopt(join(source, 'shop'));
    expect([status, output]).toEqual([
      1,
      `${join(source, 'shop')} is inside this repository: name a folder outside.\n`,
    ]);
  });
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  'O18 a run that %s ends leaves nothing at its folder',
  async (signal) => {
    const child = spawn(process.execPath, [join(source, 'scripts', 'adopt.mjs'), shop], {
      cwd: source,
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    // It has begun to write beside the folder.
    while (!readdirSync(shops).some((name) => existsSync(join(shops, name, 'src')))) await pause(20);
    child.kill(signal);
    await ended;
    expect(existsSync(shop)).toBe(false);
    // Nobody can clean up after `kill -9`: the next run does.
    expect(readdirSync(shops)).toHaveLength(signal === 'SIGKILL' ? 1 : 0);
  },
);

describe('without a network it writes', () => {
  beforeAll(() => {
    expect(adopt('tea-house', '--name', 'Tea "House"')).toEqual({
      status: 0,
      output: expect.stringMatching(
        /^Kept by default: checkout, operator .*\nWritten to .*tea-house: \d+ files, \d+ lines of src\/merchant, .* packages\.\nNext: cd tea-house, npm start, npm test, npm run check\. /,
      ),
    });
  });

  test('a repository with one commit on two branches, and nothing beside it', () => {
    expect(readdirSync(shops)).toEqual(['tea-house']);
    expect(git(shop, 'log', '--format=%s', '--all')).toBe(
      `Adopt billing-key-merchant-reference at ${git(source, 'rev-parse', 'HEAD')}`,
    );
    expect(git(shop, 'branch', '--format=%(refname:short)')).toBe('main\nupstream');
    expect(git(shop, 'status', '--porcelain')).toBe('');
  });

  test('the options that were named, with what carries their name', () => {
    const folders = (path: string) => readdirSync(join(shop, path));
    expect(folders('src/merchant/options').sort()).toEqual(['card-form', 'checkout', 'operator']);
    for (const name of ['ledger', 'subscriptions', 'demo'])
      expect(repositoryFiles(shop).filter((path) => path.includes(`/${name}/`))).toEqual([]);
    expect(folders('docs/03-guides')).toContain('10-operator.md');
    expect(folders('docs/03-guides').filter((name) => /ledger|subscriptions/.test(name))).toEqual([]);
    expect(manifest()['adopted']).toMatchObject({
      title: 'Tea "House"',
      keep: ['card-form', 'checkout', 'operator'],
      sandbox: true,
    });
    const documents = ['01-start', '05-monitoring', '06-runbook', '07-maintenance', '10-reference'];
    const ofOthers =
      /\/api\/(subscriptions|ledger|keys)|^\| *`(subscription_|merchant_subscriptions|SETTLEMENT_COLUMNS)/m;
    for (const name of documents)
      expect([name, read(`docs/${name}.md`)]).toEqual([name, expect.not.stringMatching(ofOthers)]);
    expect(manifest()['dependencies']).not.toHaveProperty('swagger-ui-dist');
    expect(read('package-lock.json')).not.toContain('swagger-ui-dist');
  });

  test('nothing about the repository that it comes from', () => {
    for (const path of [
      'tools',
      'examples',
      'docs/project',
      'docs/screenshots',
      'docs/02-tutorial',
      'scripts/adopt',
    ])
      expect([path, existsSync(join(shop, path))]).toEqual([path, false]);
    expect(
      Object.keys(manifest()['scripts'] ?? {}).filter((name) => /proof|bench|docs|adopt|all/.test(name)),
    ).toEqual([]);
    const pages = repositoryFiles(shop).filter((path) => path.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(25);
    const about = /npm run (proof|bench|docs|minimal|test:all)|CONTRIBUTING|\btools\/|examples\/minimal|<img/;
    expect(pages.filter((page) => about.test(read(page)))).toEqual([]);
  });

  test('its own texts, whose links lead somewhere', () => {
    expect(read('README.md')).toMatch(/^# Tea "House": the merchant\n/);
    expect(read('README.md')).toContain('npm run adopt -- --update');
    expect(manifest()).toMatchObject({ name: 'tea-house', version: '0.1.0' });
    expect(read('compose.yaml')).toContain('image: tea-house:');
    expect(read('.github/workflows/ci.yml')).toMatch(/- run: npm test\n *- run: npm run check\n/);
    const pages = repositoryFiles(shop).filter((path) => path.endsWith('.md'));
    const missing = pages.flatMap((page) =>
      linksOf(relative(ROOT, join(shop, page)))
        .filter((link) => !isExternal(link) && !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(missing).toEqual([]);
  });

  test('lock files for which the packages of this repository are enough', () => {
    for (const house of ['.', 'scripts'])
      symlinkSync(join(source, house, 'node_modules'), join(shop, house, 'node_modules'));
    const bootstrap = join(shop, 'scripts', 'bootstrap.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [bootstrap, '--check'], {
      encoding: 'utf8',
    });
    for (const house of ['.', 'scripts']) rmSync(join(shop, house, 'node_modules'));
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  test('what a later version is merged into: the changes of both sides are there', () => {
    const own = 'src/merchant/shop/terms.ts';
    change(shop, own, (text) => `${text}\n// Our own line.\n`);
    change(shop, 'README.md', (text) => text.replace('## Deploy', '## Ask Kim\n\n## Deploy'));
    expect(adopt('--update', 'tea-house')).toMatchObject({
      status: 1,
      output: expect.stringContaining('not committed'),
    });
    change(shop, 'src/generated/.stamp', () => 'ours\n');
    commit(shop, 'our own');
    change(source, 'src/generated/.stamp', () => 'theirs\n');
    change(source, 'src/merchant/core/orders/register-order.ts', (text) => `// A later line.\n${text}`);
    rmSync(join(source, 'src/merchant/options/checkout/pace-looks.ts'));
    commit(source, 'two', ':!node_modules', ':!scripts/node_modules', ':!tools/node_modules');
    expect(adopt('--update', 'tea-house')).toMatchObject({ status: 0 });
    expect(read(own)).toContain('// Our own line.');
    expect(read('README.md')).toContain('## Ask Kim');
    // The generated client is made again from both schemas, so nobody has to decide.
    expect(read('src/generated/.stamp')).toBe('theirs\n');
    expect(read('src/merchant/core/orders/register-order.ts')).toMatch(/^\/\/ A later line\.\n/);
    expect(existsSync(join(shop, 'src/merchant/options/checkout/pace-looks.ts'))).toBe(false);
    expect(manifest()['adopted']).toMatchObject({
      commit: git(source, 'rev-parse', 'HEAD'),
      keep: ['card-form', 'checkout', 'operator'],
    });
    expect(git(shop, 'log', '-1', '--format=%s', 'upstream')).toMatch(
      /^Take billing-key-merchant-reference at /,
    );
    expect(git(shop, 'status', '--porcelain')).toBe('');
    expect(readdirSync(shops)).toEqual(['tea-house']);
  });
});
