// Reads the part of the shell's language that our pages use: commands with quotes, assignments, pipes, loops and one-line
// functions. Any other syntax is an error, so that no command is skipped.

export type ShellCommand = {
  /** Program and arguments without their quotes. `$NAME` is unchanged, and `\$` is written where a quote keeps it. */
  words: string[];
  assignments: [name: string, value: string][];
};

const KEYWORDS = ['while', 'until', 'if', 'then', 'else', 'do', 'done', 'fi', '{', '}', '!', 'export'];
const ASSIGNMENT = /^([A-Za-z_]\w*)=([^]*)$/;

/** Commands in their order. The body of a function is left out: its callers are read. */
export function shellCommands(code: string): ShellCommand[] {
  const lines = code.replace(/^\w+\(\) \{.*\}$/gm, '');
  return splitWords(lines)
    .map(withoutKeywords)
    .filter((words) => words.length > 0)
    .map(toCommand);
}

/** @throws Error if the page uses more of the shell than this reader knows */
function splitWords(code: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  // A comment, a quote, an escape, an operator, blanks, or anything else.
  const pattern =
    /(#[^\n]*)|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\(\n|[^])|(&&|\|\||[;|&\n()<>`])|([ \t]+)|([^\s'"\\;|&()<>`#]+)/gy;
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    end = match.index + match[0].length;
    const [, comment, single, double, escaped, operator, blanks, plain] = match;
    if (comment !== undefined && word !== null) word += comment;
    else if (comment !== undefined) continue;
    else if (single !== undefined) word = (word ?? '') + single.replaceAll('$', '\\$');
    else if (double !== undefined) word = (word ?? '') + double.replace(/\\(["\\`\n])/g, '$1');
    else if (escaped !== undefined) word = escaped === '\n' ? word : (word ?? '') + escaped;
    else if (blanks !== undefined) endWord();
    else if (plain !== undefined) word = (word ?? '') + plain;
    else if (operator !== undefined && /^[()<>`]$/.test(operator))
      throw new Error(
        `the shell reader of the tests does not know ${operator} in: ${lineAt(code, match.index)}`,
      );
    else {
      endWord();
      commands.push([]);
    }
  }
  if (end < code.length) throw new Error(`a quote is not closed in: ${lineAt(code, end)}`);
  endWord();
  return commands;
}

const lineAt = (code: string, index: number) => code.slice(index).split('\n')[0] ?? '';

function withoutKeywords(words: string[]): string[] {
  const first = words.findIndex((word) => !KEYWORDS.includes(word));
  return first === -1 ? [] : words.slice(first);
}

function toCommand(words: string[]): ShellCommand {
  const program = words.findIndex((word) => !ASSIGNMENT.test(word));
  const before = program === -1 ? words : words.slice(0, program);
  return {
    words: program === -1 ? [] : words.slice(program),
    assignments: before.map((word) => {
      const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
      return [name, value];
    }),
  };
}
