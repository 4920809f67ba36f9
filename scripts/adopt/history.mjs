// The git history of an adopted repository. Its branch `upstream` holds what `npm run adopt` has written, each version a commit; the
// shop's own branch begins there and merges it. So git knows what the shop has changed itself.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Refusal } from './refusal.mjs';

/** Settings of the person that could stop a commit. */
const PLAIN = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgsign=false', '-c', 'core.excludesFile='];

/** @returns null in a copy without history */
export function currentCommit(root) {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Whether an option was no option yet: what was adopted then has it. */
export function wasInCore(root, option, commit) {
  const isThere = (object) => spawnSync('git', ['cat-file', '-e', object], { cwd: root }).status === 0;
  return isThere(`${commit}^{commit}`) && !isThere(`${commit}:src/merchant/options/${option}`);
}

const hasGit = () => spawnSync('git', ['--version']).status === 0;

/** @returns whether git is there */
export async function startHistory(folder, message) {
  if (!hasGit()) return false;
  await git(folder, 'init', '--quiet', '--initial-branch', 'main');
  await git(folder, 'add', '--all');
  await git(folder, ...author(folder), 'commit', '--quiet', '--message', message);
  await git(folder, 'branch', 'upstream');
  return true;
}

/** A merge would mix them with the later version. */
export async function refuseUncommitted(shop) {
  if (!hasGit()) throw new Refusal('git is missing.');
  const changes = await git(shop, 'status', '--porcelain');
  if (changes !== '') throw new Refusal(`${shop} has changes that are not committed: commit them first.`);
}

/**
 * Commits a folder as the next version of the branch `upstream`, and merges that into the branch that the shop is on.
 * @returns the exit code: 1 if git asks for decisions
 */
export async function takeVersion(shop, written, message) {
  await startHistory(written, message);
  await git(shop, 'fetch', '--quiet', written, 'main');
  const [next, last] = [
    await git(shop, 'rev-parse', 'FETCH_HEAD^{tree}'),
    await git(shop, 'rev-parse', 'upstream^{tree}'),
  ];
  if (next !== last) {
    const commit = await git(shop, ...author(shop), 'commit-tree', next, '-p', 'upstream', '-m', message);
    await git(shop, 'update-ref', 'refs/heads/upstream', commit);
  }
  const { status } = spawnSync('git', [...author(shop), 'merge', '--no-edit', 'upstream'], {
    cwd: shop,
    stdio: 'inherit',
  });
  if (status !== 0 && (await resolveGenerated(shop)) === 0) return 0;
  if (status !== 0)
    console.log('Decide what git could not (git status), then: git commit. To go back: git merge --abort');
  return status;
}

/**
 * The Prisma client of both schemas is generated: the next command makes it again, because its stamp differs.
 * @returns how many other files wait for a decision; the merge is committed if there is none
 */
async function resolveGenerated(shop) {
  const unmerged = (await git(shop, 'diff', '--name-only', '--diff-filter=U')).split('\n');
  const generated = unmerged.filter((path) => path.startsWith('src/generated/'));
  if (generated.length > 0) {
    await git(shop, 'checkout', '--theirs', '--', ...generated);
    await git(shop, 'add', '--', ...generated);
    console.log('src/generated: npm start, npm test or npm run check makes it again; commit it then.');
  }
  const left = unmerged.length - generated.length;
  if (generated.length > 0 && left === 0) await git(shop, ...author(shop), 'commit', '--quiet', '--no-edit');
  return left;
}

/** A commit needs one, and a new machine may have none. */
function author(folder) {
  const isKnown = ['user.name', 'user.email'].every(
    (name) => spawnSync('git', ['config', name], { cwd: folder }).status === 0,
  );
  return isKnown ? [] : ['-c', 'user.name=adopt', '-c', 'user.email=adopt@localhost'];
}

async function git(folder, ...args) {
  const child = spawn('git', [...PLAIN, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, problem] = ['', ''];
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (problem += data));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Refusal(`git ${args.join(' ')}, in ${folder}: ${problem.trim()}`);
  return output.trim();
}
