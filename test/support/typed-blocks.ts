// Type-checks blocks of TypeScript and JavaScript as files of this project.

import { join } from 'node:path';
import ts from 'typescript';
import { placeOf, type CodeBlock } from './code-blocks';
import { ROOT } from './shop-copy';

/**
 * As "page:line what is wrong". A comment `<!-- given: … -->` in front of a block says what stands around it, and
 * `<!-- type: … -->` which type a block of JSON has.
 */
export function typeProblems(blocks: readonly CodeBlock[]): string[] {
  const sources = new Map(
    blocks.map((block, index) => [
      join(ROOT, 'src', 'merchant', `block-${index}.${block.language === 'js' ? 'js' : 'ts'}`),
      block,
    ]),
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
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => textOf(sources.get(path)) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = textOf(sources.get(path));
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources].flatMap(([path, block]) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${placeOf(block)} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

function textOf(block: CodeBlock | undefined): string | undefined {
  if (!block) return undefined;
  if (block.comment?.name === 'type') return `export const value: ${block.comment.text} =\n${block.code};\n`;
  const given = block.comment?.name === 'given' ? block.comment.text : '';
  // Each is a module, so that they do not see each other's names. What imports nothing stands in a function of its own.
  return /^import /m.test(block.code)
    ? `${given}\n${block.code}\nexport {};\n`
    : `${given}\nexport async function block() {\n${block.code}\n}\n`;
}
