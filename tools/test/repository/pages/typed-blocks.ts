// Type-checks texts as files of this project: blocks of code of our pages, and data that has a published type.

import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../../../test/support/shop-copy';
import { placeOf, type CodeBlock } from './code-blocks';

/**
 * As "page:line problem". A comment `<!-- given: … -->` in front of a block has the code around it, and
 * `<!-- type: … -->` the type of a block of JSON.
 */
export function typeProblems(blocks: readonly CodeBlock[]): string[] {
  return compilerProblems(
    blocks.map((block) => ({
      name: placeOf(block),
      language: block.language === 'js' ? 'js' : 'ts',
      text: moduleOf(block),
    })),
  );
}

type Source = { name: string; language: 'ts' | 'js'; text: string };

/** Each is compiled as a file of this folder, with our settings. Returns "name problem". */
export function compilerProblems(
  sources: readonly Source[],
  folder = join(ROOT, 'src', 'merchant'),
): string[] {
  const files = new Map(
    sources.map((source, index) => [join(folder, `source-${index}.${source.language}`), source]),
  );
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, allowJs: true, checkJs: true, noUnusedLocals: false },
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)?.text;
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([path, { name }]) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${name} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

/** Each is a module, so that they do not see each other's names. Code without imports is in its own function. */
function moduleOf({ comment, code }: CodeBlock): string {
  if (comment?.name === 'type') return `export const value: ${comment.text} =\n${code};\n`;
  const given = comment?.name === 'given' ? comment.text : '';
  return /^import /m.test(code)
    ? `${given}\n${code}\nexport {};\n`
    : `${given}\nexport async function block() {\n${code}\n}\n`;
}
