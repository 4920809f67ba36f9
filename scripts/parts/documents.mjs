// After parts of this copy were removed, its documents still name them. This takes out the sentences, list items and table rows that
// name a command, a file or a route that is gone, and table rows about a setting, metric, error, event or table that is gone. Of a link
// to a missing page or heading it leaves only the text. What else is about an option stands between <!-- option: name --> and
// <!-- end option -->, and what is about a folder that comes off between <!-- folder: name --> and <!-- end folder -->.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const FOLDERS = 'deploy|docs|examples|prisma|scripts|src|test|tools|views';

/**
 * @param gone what removed options brought, as `removeOptions` returns it
 * @returns the pages that have changed
 */
export function tidyDocuments(root, gone = { settings: [], routes: [], names: [], tables: [] }) {
  const isGone = createCheck(root, gone);
  const before = new Map(pagesOf(root).map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const left = new Map([...before].map(([path, text]) => [path, removeMarked(root, text)]));
  const changed = [];
  for (const [path, text] of left) {
    const isThere = (target) => {
      const [file, anchor] = target.split('#');
      const found = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, found))) return false;
      if (anchor === undefined || !left.has(found)) return true;
      // The second of two equal headings has a number.
      const heading = decodeURI(anchor).replace(/-\d$/, '');
      return headingsOf(left.get(found)).some((each) => each.replace(/-\d$/, '') === heading);
    };
    const tidied = tidyPage(text, isGone, isThere);
    if (tidied === before.get(path)) continue;
    writeFileSync(join(root, path), tidied);
    changed.push(path);
  }
  return changed;
}

/** The anchors of its headings, as GitHub makes them. */
function headingsOf(text) {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** A block, or a part of a line: GitHub shows no Markdown in a line that begins with a comment. */
function removeMarked(root, text) {
  const FOLDER_OF = { option: join('src', 'merchant', 'options'), folder: '' };
  const isThere = (kind, name) => existsSync(join(root, FOLDER_OF[kind], name));
  const MARKED = '<!-- (option|folder): ([\\w/-]+) -->[^]*?<!-- end \\1 -->';
  return [new RegExp(`^${MARKED}\\n+`, 'gm'), new RegExp(MARKED, 'g')].reduce(
    (left, pattern) => left.replaceAll(pattern, (block, kind, name) => (isThere(kind, name) ? block : '')),
    text,
  );
}

/** As `npm run check -- format --fix` does with all files. */
export function formatFiles(root, paths) {
  if (paths.length === 0) return;
  const scripts = join(root, 'scripts');
  const program = join(scripts, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
  const args = [program, `--config=${join(scripts, 'oxfmt.json')}`, '--write', ...paths];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`oxfmt has failed: ${stderr}`);
}

/** An example is a package of its own, with commands and files of its own. */
function pagesOf(root) {
  const examples = join(root, 'examples');
  const markdown = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.isSymbolicLink())
        return path === examples || ['node_modules', '.git', '.data'].includes(entry.name)
          ? []
          : markdown(path);
      return entry.isFile() && entry.name.endsWith('.md') ? [relative(root, path)] : [];
    });
  return markdown(root);
}

/** Whether a text names a command, a file or a route that is gone, or is a table row about another name that is gone. */
function createCheck(root, { settings, routes, names, tables }) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'run.mjs'), 'tool'], {
    encoding: 'utf8',
  });
  const programs = [...stdout.matchAll(/^npm run tool -- (\S+)/gm)].map(([, name]) => name);
  // The image has the compiled files.
  const isThere = (path) =>
    [path, `${path}.ts`, `${path}.test.ts`, path.replace(/\.js$/, '.ts')].some((file) =>
      existsSync(join(root, file)),
    );
  const rowsGone = [...settings, ...names, ...tables];
  const routesGone = routes.map(
    (route) => new RegExp(`${route.replaceAll(/\{\w+\}/g, '[^/\\s]+')}(?![\\w/-])`),
  );
  return (text) =>
    [...text.matchAll(/\bnpm run (?:--silent )?(\w[\w:-]*)(?: -- ([a-z-]+))?/g)].some(
      ([, script, program]) =>
        !(script in scripts) || (script === 'tool' && program && !programs.includes(program)),
    ) ||
    [...text.matchAll(new RegExp(`\`(?:npx jest )?((?:${FOLDERS})/[\\w./-]*\\w)\``, 'g'))].some(
      ([, path]) => !isThere(path),
    ) ||
    routesGone.some((route) => route.test(text)) ||
    rowsGone.includes(/^\|\s*`(\w+)[`=.]/.exec(text)?.[1]);
}

function tidyPage(text, isGone, isThere) {
  const tidied = mapParts(text, {
    code: (block) => tidyCode(block, isGone),
    prose: (prose) => tidyProse(prose, (each) => isGone(each) || linksToGoneCode(each, isThere), isThere),
  });
  const squeezed = mapParts(tidied, {
    code: (block) => block,
    prose: (prose) => prose.replaceAll(/\n{3,}/g, '\n\n'),
  });
  return squeezed.trimEnd().concat('\n');
}

/** Of a page, the text of the link can stay. */
function linksToGoneCode(text, isThere) {
  return [...text.matchAll(/\]\(([^)\s#]+\.(?:ts|eta|m?js|json|yaml))\)/g)].some(
    ([, target]) => !isThere(target),
  );
}

function mapParts(text, { code, prose }) {
  const parts = text.split(/^(```[^]*?^```$)/m);
  return parts.map((part) => (part.startsWith('```') ? code(part) : prose(part))).join('');
}

/** Leaves out its lines with a gone command, and the block if none is left. */
function tidyCode(block, isGone) {
  const lines = block.split('\n');
  const left = lines.filter((line) => !isGone(line));
  return left.length > 2 || left.length === lines.length ? left.join('\n') : '';
}

function tidyProse(prose, isGone, isThere) {
  return prose
    .split(/(\n{2,})/)
    .map((block) => tidyBlock(block, isGone, isThere))
    .join('');
}

/** A block is a paragraph, a list or a table. */
function tidyBlock(block, isGone, isThere) {
  if (!/\S/.test(block)) return block;
  const items = block.split(/\n(?=\s*(?:[-*]|\d+\.) |\|)/);
  const left = items
    .map((item) => (item.startsWith('|') ? (isGone(item) ? '' : item) : tidySentences(item, isGone)))
    .filter((item) => /\S/.test(item));
  // Of a table, the heading alone is left.
  if (items[0].startsWith('|') && left.length <= 2 && left.length < items.length) return '';
  return unlink(left.join('\n'), isThere);
}

function tidySentences(item, isGone) {
  if (!isGone(item)) return item;
  const [, mark, text] = /^(\s*(?:(?:[-*]|\d+\.) )?)([^]*)$/.exec(item);
  const sentences = text.split(/(?<=[.:?!]\)?)\s+(?=[A-Z가-힣`[*])/);
  const left = sentences.filter((sentence) => !isGone(sentence));
  // What an item says after its first sentence is about that one.
  const isAbout = mark === '' || !isGone(sentences[0]);
  const rest = mark + left.join(' ');
  return isAbout && left.length > 0 && !(mark !== '' && rest.endsWith(':')) ? rest : '';
}

/** A link to a page that is not there becomes its text, and a picture goes. */
function unlink(text, isThere) {
  return text
    .replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (link, picture, label, target) => {
      if (/^[a-z]+:/.test(target) || isThere(target)) return link;
      return picture ? '' : label;
    })
    .replaceAll(/<img src="([^"]+)"[^>]*>/g, (image, source) => (isThere(source) ? image : ''));
}
