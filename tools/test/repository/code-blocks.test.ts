// Every code block of a page is checked, here with parsers only. tools/test/repository/guides-run.test.ts sends the requests and runs the
// SQL.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { API } from '../../../src/merchant/features';
import { WINDOW_NAMES } from '../../../src/sandbox/window/window-request';
import { nginxBinary as nginx } from '../../../test/support/nginx';
import { ROOT } from '../../../test/support/shop-copy';
import { allCodeBlocks, codeBlocksOf, placeOf, type CodeBlock } from './pages/code-blocks';
import { commandProblem } from './pages/command-checks';
import { missingPiece } from './pages/excerpts';
import { shellCommands } from './pages/shell-commands';
import { typeProblems } from './pages/typed-blocks';

/** Blocks that nothing here checks, by page and first line, and why. */
const UNCHECKED: Record<string, string> = {
  'docs/03-guides/2-own-checkout.md: { "outcome": "recorded", "payment": { "svc_uid": "svc_…", "status": "paid" }, "order": "paid" }':
    'an answer in part',
  "docs/03-guides/9-testing.md: import createClient from 'openapi-fetch';":
    'needs the types that are made from a running merchant: tools/test/repository/typed-client.test.ts compiles and runs it',
};

/** Languages that no parser here reads: their blocks are files that tools/test/processes/another-language.test.ts runs. */
const FOREIGN = ['python'];

const blocks = allCodeBlocks();
const nameOf = ({ page, code }: CodeBlock) => `${page}: ${code.split('\n')[0]?.trim()}`;
const checked = blocks.filter((block) => UNCHECKED[nameOf(block)] === undefined);
const written = (...languages: string[]) => checked.filter(({ language }) => languages.includes(language));
/** The blocks that fail, with their positions. A check that throws fails too. */
function problemsOf(which: CodeBlock[], check: (block: CodeBlock) => (string | null)[]): string[] {
  return which.flatMap((block) => {
    try {
      return check(block).flatMap((problem) => (problem === null ? [] : [`${placeOf(block)} ${problem}`]));
    } catch (error) {
      return [`${placeOf(block)} ${(error as Error).message}`];
    }
  });
}

test('every block has a language that is checked here, or is in the list of exceptions with a reason', () => {
  expect(blocks.length).toBeGreaterThan(80);
  // Pictures and terminal output are not checked.
  const known = ['sh', 'json', 'ts', 'js', 'html', 'sql', 'yaml', 'nginx', 'mermaid', 'text', ...FOREIGN];
  const unknown = checked.filter(({ language }) => !known.includes(language));
  expect(unknown.map((block) => `${nameOf(block)} (${block.language || 'no language'})`)).toEqual([]);
  expect(blocks.filter(({ language }) => language === '').map(placeOf)).toEqual([]);
  // Removed blocks must leave the list.
  const names = new Set(blocks.map(nameOf));
  expect(Object.keys(UNCHECKED).filter((name) => !names.has(name))).toEqual([]);
});

test('every block of another language is a file of the examples that are run', () => {
  const place = ({ comment }: CodeBlock) => `${comment?.name}: ${comment?.text}`;
  expect(written(...FOREIGN).map(place)).toEqual(['file: docs/examples/another-language/verify_event.py']);
});

test('every command of a shell block exists, with its options and arguments', () => {
  expect(written('sh').flatMap(({ code }) => shellCommands(code)).length).toBeGreaterThan(100);
  expect(problemsOf(written('sh'), ({ code }) => shellCommands(code).map(commandProblem))).toEqual([]);
});

test('every block of JSON is a body or an answer of a route, or names its type', () => {
  const untyped = written('json').filter(({ comment }) => comment?.name !== 'type');
  expect(problemsOf(untyped, ({ code }) => [jsonProblem(JSON.parse(code))])).toEqual([]);
});

test('every block of TypeScript and JavaScript outside a file, and JSON with a type, compiles', () => {
  const own = [
    ...written('ts', 'js').filter(({ comment }) => comment?.name !== 'file' && comment?.name !== 'from'),
    ...written('json').filter(({ comment }) => comment?.name === 'type'),
  ];
  expect(own.length).toBeGreaterThan(2);
  // A block that does not compile is among them.
  const broken = codeBlocksOf('broken.md', '```ts\nconst amount: number = "1";\n```\n');
  expect(typeProblems([...own, ...broken])).toEqual([expect.stringContaining('broken.md:2 Type')]);
});

test('every excerpt is in the file that it names', () => {
  const excerpts = checked.filter(({ comment }) => comment?.name === 'from');
  expect(excerpts.length).toBeGreaterThan(20);
  const check = ({ comment, code }: CodeBlock) => [
    missingPiece(readFileSync(join(ROOT, comment?.text ?? ''), 'utf8'), code),
  ];
  expect(problemsOf(excerpts, check)).toEqual([]);
});

test('every block of HTML opens the payment window with fields that it knows', () => {
  const fieldsOf = ({ code }: CodeBlock) =>
    Object.keys(JSON.parse(/data-payment='([^']+)'/.exec(code)?.[1] ?? '') as object);
  const known = [...WINDOW_NAMES, 'm_redirect_url'];
  expect(written('html').length).toBeGreaterThan(0);
  for (const block of written('html'))
    expect(fieldsOf(block).filter((field) => !known.includes(field))).toEqual([]);
});

test('every block of YAML is read without an error or a warning', () => {
  const problems = problemsOf(written('yaml'), ({ code }) => {
    const { errors, warnings } = parseDocument(code);
    return [...errors, ...warnings].map(({ message }) => message);
  });
  expect(problems).toEqual([]);
});

test('every block of nginx is accepted by nginx, if it is installed, and its braces match', () => {
  const braces = ({ code }: CodeBlock) => {
    const depth = (text: string) => text.split('{').length - text.split('}').length;
    return depth(code) === 0 ? null : 'a brace is not closed';
  };
  expect(
    problemsOf(written('nginx'), (block) => [braces(block), nginx && nginxProblem(nginx, block.code)]),
  ).toEqual([]);
});

test.each(
  blocks.flatMap((block) =>
    block.comment?.name === 'file' ? [[block.page, block.comment.text, block.code]] : [],
  ),
)('%s shows %s unchanged', (_page, file = '', code) => {
  expect(code).toBe(readFileSync(join(ROOT, file), 'utf8'));
});

/** A block that is shown in part matches nothing, and is in the list above. */
function jsonProblem(value: unknown): string | null {
  const schemas: z.ZodType[] = API.routes.flatMap(({ body, answers }) => [
    ...(body?.contentTypes.includes('application/json') && body.schema ? [body.schema] : []),
    ...Object.values(answers).map(({ schema }) => schema),
  ]);
  const fits = schemas.some((schema) => schema.safeParse(value).success);
  return fits ? null : 'no route takes or answers it';
}

function nginxProblem(program: string, code: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-block-'));
  try {
    const file = join(folder, 'nginx.conf');
    const servers = /^server \{/m.test(code) ? code : `server { listen 127.0.0.1:8080; ${code} }`;
    writeFileSync(file, `pid ${folder}/pid; events {} http { ${servers} }`);
    execFileSync(program, ['-t', '-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
