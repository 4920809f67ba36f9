// Tables without padding: the width of one cell does not change the other rows.

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => cell.replaceAll('|', '\\|')).join('|')}|`;
  return [line(heading), line(heading.map(() => '-')), ...rows.map(line)].join('\n');
}

export const code = (text: string) => `\`${text}\``;
export const codes = (texts: readonly string[]) => texts.map(code).join(', ');
