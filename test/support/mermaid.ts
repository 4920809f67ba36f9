// Reads the two kinds of drawings of our pages, flow charts and sequences, as far as they are used. The package that draws
// them needs a browser.

/** What is wrong with it, or null. */
export function mermaidProblem(code: string): string | null {
  const [first = '', ...lines] = code.split('\n').map((line) => line.trim());
  const drawn = lines.filter((line) => line !== '');
  if (first === 'sequenceDiagram') return sequenceProblem(drawn);
  if (/^flowchart (LR|TD|TB|RL)$/.test(first)) return flowchartProblem(drawn);
  return `no kind of drawing is called ${first}`;
}

function sequenceProblem(lines: string[]): string | null {
  const participants = lines.flatMap((line) => /^participant (\w+) as \S/.exec(line)?.[1] ?? []);
  for (const line of lines) {
    if (line.startsWith('participant ') && /^participant \w+ as \S/.test(line)) continue;
    const names = /^(\w+)-?->>(\w+): \S|^Note over (\w+): \S/.exec(line)?.slice(1);
    if (!names) return `cannot be read: ${line}`;
    const unknown = names.find((name) => name !== undefined && !participants.includes(name));
    if (unknown !== undefined) return `${unknown} is no participant`;
  }
  return null;
}

const LABEL = '\\["[^"]*"\\]|\\[\\("[^"]*"\\)\\]|\\("[^"]*"\\)|\\{"[^"]*"\\}';
const NODE = `(\\w+)(${LABEL})?`;
const LINK = ' (?:-->|-\\.->|==>|-- "[^"]*" -->) ';

function flowchartProblem(lines: string[]): string | null {
  const nodes = new Map<string, boolean>();
  let depth = 0;
  for (const line of lines) {
    if (/^subgraph \w+ \["[^"]*"\]$/.test(line)) depth += 1;
    else if (line === 'end') depth -= 1;
    else if (!new RegExp(`^${NODE}(?:${LINK}${NODE})*$`).test(line)) return `cannot be read: ${line}`;
    else
      for (const part of line.split(new RegExp(LINK))) {
        const [, name = '', label] = new RegExp(`^${NODE}$`).exec(part) ?? [];
        nodes.set(name, nodes.get(name) === true || label !== undefined);
      }
    if (depth < 0) return 'an end too many';
  }
  if (depth > 0) return 'a subgraph without its end';
  const unnamed = [...nodes].find(([, hasLabel]) => !hasLabel);
  return unnamed ? `${unnamed[0]} has no label` : null;
}
