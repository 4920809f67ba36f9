// Both languages use the words that a native speaker and a payment service use. The lists are in pages/refused-words.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { REFUSED_IN_ENGLISH, REFUSED_IN_KOREAN, type RefusedWord } from './pages/refused-words';

const REPOSITORY = join(__dirname, '..', '..', '..');
const LEGAL = 'views/merchant/cards/legal';
/** The pages of operators, who read them at work. All other pages are for buyers and developers. */
const FORMAL = /^src\/merchant\/options\/(operator|api-keys|ledger)\//;

type Text = { at: string; text: string };

const HANGUL = /[가-힣]/;
const texts = [...filesIn('src', /\.ts$/).flatMap(textsIn), ...filesIn('views', /\.(eta|js)$/).map(whole)];
const korean = texts.filter(({ text }) => HANGUL.test(text));
/** What people read on pages, in terminals and in errors. A text of one word is a name in the code. */
const ENGLISH = /texts\.en\.ts:|-en\.ts:|\/(cli|local)\/|errors?\.ts:|^views\//;
const english = texts.filter(({ at, text }) => ENGLISH.test(at) && !HANGUL.test(text) && text.includes(' '));

test.each([
  ['Korean', korean, REFUSED_IN_KOREAN],
  ['English', english, REFUSED_IN_ENGLISH],
])('no %s text has a refused word', (_, given, refused) => {
  expect(given.length).toBeGreaterThan(500);
  expect(given.flatMap((text) => refused.flatMap((word) => complaint(text, word)))).toEqual([]);
});

test('no refused word is what is said instead', () => {
  for (const [pattern, say] of [...REFUSED_IN_KOREAN, ...REFUSED_IN_ENGLISH])
    expect(say).not.toMatch(pattern);
});

// 해요체 for buyers and developers, 합니다체 for operators and in legal texts.
test('each Korean page keeps one level of speech', () => {
  const formal = korean.filter(({ at }) => FORMAL.test(at));
  const polite = korean.filter(({ at }) => /texts\.ko\.ts:|locales\//.test(at) && !FORMAL.test(at));
  expect([formal.length, polite.length].every((count) => count > 100)).toBe(true);
  expect(formal.filter(({ text }) => /(?<!세)요[.?!]/.test(text))).toEqual([]);
  expect(polite.filter(({ text }) => /니다([.?!]|$)/.test(text))).toEqual([]);
});

test.each(['terms', 'privacy'])('the Korean %s have numbered articles in 합니다체', (name) => {
  const { text } = whole(`${LEGAL}/${name}-ko.eta`);
  const heads = [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, head]) => head);
  expect(heads.length).toBeGreaterThan(4);
  heads.forEach((head, index) => expect(head).toMatch(new RegExp(`^제${index + 1}조 \\(.+\\)$`)));
  expect(text).not.toMatch(/[가-힣]요[.<]/);
  expect(whole(`${LEGAL}/${name}-en.eta`).text.match(/<h2>Article /g)).toHaveLength(heads.length);
});

function complaint({ at, text }: Text, [pattern, say]: RefusedWord): string[] {
  const [found] = pattern.exec(text) ?? [];
  return found === undefined ? [] : [`${at} says "${found}" (${text.slice(0, 80)}); say: ${say}`];
}

function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => names.test(file) && !file.startsWith('src/generated/'));
}

function whole(file: string): Text {
  return { at: file, text: readFileSync(join(REPOSITORY, file), 'utf8') };
}

/** The literals of a source, without its comments. */
function textsIn(file: string): Text[] {
  const source = ts.createSourceFile(file, whole(file).text, ts.ScriptTarget.Latest);
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.pos);
      found.push({ at: `${file}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
