// The options of a copy of the repository, and their removal.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = ['src', 'merchant', 'options'];
/** The list of what the program is made of, which a removal changes. */
export const FEATURES = 'src/merchant/features.ts';

/** @returns for each option its name, its purpose (the comment at the top of feature.ts) and the options that it needs */
export function readOptions(root) {
  const folder = join(root, ...FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const feature = readFileSync(join(folder, name, 'feature.ts'), 'utf8');
    const comment = feature.slice(0, feature.indexOf('\n\n')).replaceAll(/^\/\/ /gm, '');
    const [, needs = ''] = /^ {2}needs: \[(.*)\],$/m.exec(feature) ?? [];
    return {
      name,
      purpose: comment.replaceAll('\n', ' '),
      needs: [...needs.matchAll(/'([\w-]+)'/g)].map(([, needed]) => needed),
    };
  });
}

/** The named options and those that need them. */
export function withNeeding(options, names) {
  const needing = options.filter(({ needs }) => needs.some((needed) => names.includes(needed)));
  const all = [...new Set([...names, ...needing.map(({ name }) => name)])];
  return all.length === names.length ? all : withNeeding(options, all);
}

/**
 * Removes what carries the name of an option, and its line in `features.ts`.
 * @returns the settings, routes, tables and other names that only they had, for `tidyDocuments`
 */
export function removeOptions(root, names) {
  const settings = names.flatMap((name) => settingsOf(root, name));
  const removed = names.map((name) => readSource(join(root, ...FOLDER, name))).join('\n');
  for (const name of names) removeOption(root, name);
  if (readOptions(root).length === 0) rmSync(join(root, ...FOLDER), { recursive: true });
  removeSettings(join(root, '.env.example'), settings);
  const left = readSource(join(root, 'src', 'merchant'));
  const onlyThere = (pattern) => {
    const found = (source) => [...source.matchAll(pattern)].map(([, name]) => name);
    const stays = new Set(found(left));
    return [...new Set(found(removed))].filter((name) => !stays.has(name));
  };
  return {
    settings,
    routes: onlyThere(/'(\/api\/[^'?]+)'/g),
    names: onlyThere(/\b([a-z]+(?:_[a-z]+)+)\b/g),
    tables: names.flatMap((name) => tablesOf(root, name)),
  };
}

function readSource(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

function removeOption(root, name) {
  const remove = (...path) => rmSync(join(root, ...path), { recursive: true, force: true });
  const hasTables = existsSync(join(root, 'prisma', 'schema', `${name}.prisma`));
  removeFromList(join(root, FEATURES), name, hasTables);
  remove(...FOLDER, name);
  remove('views', 'merchant', name);
  remove('docs', 'ko', `${name}.md`);
  for (const guide of readdirSync(join(root, 'docs', '03-guides')))
    if (guide.replace(/^\d+-/, '') === `${name}.md`) remove('docs', '03-guides', guide);
  for (const folder of ['test', 'tools', 'deploy', join('docs', 'examples')])
    removeFoldersCalled(name, join(root, folder));
}

function removeFoldersCalled(name, parent) {
  if (!existsSync(parent)) return;
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules') continue;
    if (entry.name === name) rmSync(join(parent, name), { recursive: true, force: true });
    else removeFoldersCalled(name, join(parent, entry.name));
  }
}

function settingsOf(root, name) {
  const file = join(root, ...FOLDER, name, 'settings.ts');
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+(?=:)/g)].map(([found]) => found);
}

function tablesOf(root, name) {
  const file = join(root, 'prisma', 'schema', `${name}.prisma`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return [...text.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table);
}

/** Removes the paragraphs of `.env.example` that describe no other settings. */
function removeSettings(file, settings) {
  const isLeft = (paragraph) => {
    const described = [...paragraph.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, found]) => found);
    return described.length === 0 || described.some((found) => !settings.includes(found));
  };
  writeFileSync(file, readFileSync(file, 'utf8').split('\n\n').filter(isLeft).join('\n\n'));
}

/** Removes the import and the line that uses it. If its tables stay, its name is noted. */
function removeFromList(file, name, hasTables) {
  const text = readFileSync(file, 'utf8');
  const [line, feature] = new RegExp(`^import \\{ (\\w+) \\} from './options/${name}/feature';\\n`, 'm').exec(
    text,
  );
  const left = text.replace(line, '').replace(new RegExp(`^ {2}${feature},\\n`, 'm'), '');
  if (!hasTables) return writeFileSync(file, left);
  const noted = left.replace(/(?<=^const REMOVED: .* = \[)([^]*?),?\s*(?=\];$)/m, (names) =>
    [...names.matchAll(/'[\w-]+'/g), [`'${name}'`]].flat().sort().join(', '),
  );
  if (noted === left) throw new Error(`${file} has changed: remove ${name} by hand.`);
  writeFileSync(file, noted);
}
