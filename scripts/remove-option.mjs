// `npm run tool -- remove-option <name>...` removes options from this copy of the repository, with the options that need them: the
// folder in `src/merchant/options`, views, tests, guide, settings in `.env.example`, and the line in `features.ts`. Commit first, so
// that no work is lost. It names packages that nothing uses any more. The tables of an option stay; drop them with a migration of
// your own.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OPTIONS = join(root, 'src', 'merchant', 'options');
const EXAMPLE = join(root, '.env.example');
const FEATURES = join(root, 'src', 'merchant', 'features.ts');

const present = existsSync(OPTIONS) ? readdirSync(OPTIONS) : [];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !present.includes(name));
if (asked.length === 0 || unknown.length > 0) {
  const problem = unknown.length > 0 ? `There is no option ${unknown.join(', ')}. ` : '';
  console.error(`${problem}Name one or more of: ${present.join(', ')}`);
  process.exit(2);
}

const gone = withThoseThatNeedThem(asked);
const used = usedPackages();
for (const name of gone) removeOption(name);
const kept = usedPackages();
const unused = used.filter((name) => !kept.includes(name));
const next = [
  ...(unused.length > 0 ? [`npm uninstall ${unused.join(' ')}`] : []),
  'npm run check',
  'npm test',
];
console.log(`Removed: ${gone.join(', ')}. Now: ${next.join(', ')}`);

/** Dependencies that the merchant or the local programs import. */
function usedPackages() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sources = readdirSync(join(root, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
  return Object.keys(dependencies).filter((name) =>
    sources.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)),
  );
}

function withThoseThatNeedThem(names) {
  const needing = present.filter((name) => needsOf(name).some((needed) => names.includes(needed)));
  const all = [...new Set([...names, ...needing])];
  return all.length === names.length ? all : withThoseThatNeedThem(all);
}

/** `needs: ['subscriptions'],` of its feature.ts. */
function needsOf(name) {
  const [, needs = ''] =
    /^ {2}needs: \[(.*)\],$/m.exec(readFileSync(join(OPTIONS, name, 'feature.ts'), 'utf8')) ?? [];
  return [...needs.matchAll(/'([\w-]+)'/g)].map(([, needed]) => needed);
}

function removeOption(name) {
  removeFromList(name);
  removeSettings(name);
  remove('src', 'merchant', 'options', name);
  remove('views', 'merchant', name);
  remove('docs', 'ko', `${name}.md`);
  for (const guide of readdirSync(join(root, 'docs', '03-guides')))
    if (guide.replace(/^\d+-/, '') === `${name}.md`) remove('docs', '03-guides', guide);
  for (const folder of ['test', 'tools', 'deploy']) removeFoldersCalled(name, join(root, folder));
}

function removeFoldersCalled(name, parent) {
  if (!existsSync(parent)) return;
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules') continue;
    if (entry.name === name) rmSync(join(parent, name), { recursive: true, force: true });
    else removeFoldersCalled(name, join(parent, entry.name));
  }
}

function remove(...path) {
  rmSync(join(root, ...path), { recursive: true, force: true });
}

/** Removes the paragraphs of `.env.example` that describe no other settings. */
function removeSettings(name) {
  const file = join(OPTIONS, name, 'settings.ts');
  if (!existsSync(file)) return;
  const names = [...readFileSync(file, 'utf8').matchAll(/\b[A-Z]+(?:_[A-Z]+)+(?=:)/g)].map(
    ([found]) => found,
  );
  const isLeft = (paragraph) => {
    const described = [...paragraph.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, found]) => found);
    return described.length === 0 || described.some((found) => !names.includes(found));
  };
  writeFileSync(EXAMPLE, readFileSync(EXAMPLE, 'utf8').split('\n\n').filter(isLeft).join('\n\n'));
}

/** Removes the import, and the line that uses it. */
function removeFromList(name) {
  const text = readFileSync(FEATURES, 'utf8');
  const [line, feature] = new RegExp(`^import \\{ (\\w+) \\} from './options/${name}/feature';\\n`, 'm').exec(
    text,
  );
  writeFileSync(FEATURES, text.replace(line, '').replace(new RegExp(`^ {2}${feature},\\n`, 'm'), ''));
}
