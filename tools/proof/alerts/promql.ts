// Evaluates the part of PromQL that monitoring/ uses, on real scrapes. It throws for everything else, so no rule is tested by
// guesswork. Unlike Prometheus, `increase` does not extrapolate to the ends of its range.

import { parser } from '@prometheus-io/lezer-promql';

type Tree = ReturnType<typeof parser.parse>;
type SyntaxNode = Tree['topNode'];

export type Sample = { name: string; labels: Record<string, string>; value: number };
/** The samples of one scrape, and its time (UNIX seconds). */
export type Scrape = { at: number; samples: readonly Sample[] };
/** A result of PromQL: labels without the metric's name. */
export type Point = { labels: Record<string, string>; value: number };

type Value = { kind: 'scalar'; value: number } | { kind: 'vector'; points: Point[] };
type Evaluation = { text: string; scrapes: readonly Scrape[]; now: number };

/** How long Prometheus keeps the last value of a series that is no longer scraped. */
const LOOK_BACK_SECONDS = 300;

/** A rule is evaluated at each scrape. */
const parsed = new Map<string, Tree>();

/** @throws Error if the expression is invalid */
export function parseExpression(text: string): Tree {
  const known = parsed.get(text);
  if (known) return known;
  const tree = parser.parse(text);
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw new Error(`No PromQL at ${from}: ${text}`);
    },
  });
  parsed.set(text, tree);
  return tree;
}

/** The metrics of an expression, and the labels used in selectors and groupings. */
export function namesIn(text: string): { metrics: string[]; labels: string[] } {
  const metrics: string[] = [];
  const labels: string[] = [];
  parseExpression(text).iterate({
    enter: ({ name, from, to }) => {
      if (name === 'Identifier') metrics.push(text.slice(from, to));
      if (name === 'LabelName') labels.push(text.slice(from, to));
    },
  });
  return { metrics, labels };
}

/** @param scrapes oldest first; those after `now` (UNIX seconds) are ignored */
export function evaluate(text: string, scrapes: readonly Scrape[], now: number): Point[] {
  const top = parseExpression(text).topNode.firstChild;
  if (!top) throw new Error(`Nothing to evaluate: ${text}`);
  const known = scrapes.filter(({ at }) => at <= now);
  const result = valueOf(top, { text, scrapes: known, now });
  if (result.kind !== 'vector') throw new Error(`A rule has to give a vector: ${text}`);
  return result.points;
}

function valueOf(node: SyntaxNode, evaluation: Evaluation): Value {
  switch (node.name) {
    case 'NumberDurationLiteral':
      return { kind: 'scalar', value: number(textOf(node, evaluation)) };
    case 'ParenExpr':
      return valueOf(only(node, evaluation), evaluation);
    case 'VectorSelector':
      return { kind: 'vector', points: instant(node, evaluation) };
    case 'FunctionCall':
      return callOf(node, evaluation);
    case 'AggregateExpr':
      return { kind: 'vector', points: aggregate(node, evaluation) };
    case 'BinaryExpr':
      return binary(node, evaluation);
    default:
      return unknown(node, evaluation);
  }
}

/** The latest value of each series that a selector matches. */
function instant(node: SyntaxNode, evaluation: Evaluation): Point[] {
  const last = evaluation.scrapes.at(-1);
  if (!last || evaluation.now - last.at > LOOK_BACK_SECONDS) return [];
  const matches = matcherOf(node, evaluation);
  return last.samples.filter(matches).map(({ labels, value }) => ({ labels, value }));
}

function callOf(node: SyntaxNode, evaluation: Evaluation): Value {
  const name = textOf(child(node, 'FunctionIdentifier', evaluation), evaluation);
  if (name === 'time') return { kind: 'scalar', value: evaluation.now };
  if (name !== 'rate' && name !== 'increase') return unknown(node, evaluation);
  const range = only(child(node, 'FunctionCallBody', evaluation), evaluation);
  if (range.name !== 'MatrixSelector') return unknown(range, evaluation);
  const matches = matcherOf(child(range, 'VectorSelector', evaluation), evaluation);
  const seconds = duration(textOf(child(range, 'DurationExpr', evaluation), evaluation));
  const series = new Map<
    string,
    { labels: Record<string, string>; points: { at: number; value: number }[] }
  >();
  for (const { at, samples } of evaluation.scrapes.filter((each) => each.at > evaluation.now - seconds))
    for (const { labels, value } of samples.filter(matches)) {
      const key = keyOf(labels);
      const each = series.get(key) ?? { labels, points: [] };
      each.points.push({ at, value });
      series.set(key, each);
    }
  const points = [...series.values()].flatMap(({ labels, points: seen }) => {
    const [first] = seen;
    const last = seen.at(-1);
    if (!first || !last || last.at === first.at) return [];
    const grown = increaseOf(seen.map(({ value }) => value));
    return [{ labels, value: name === 'rate' ? grown / (last.at - first.at) : grown }];
  });
  return { kind: 'vector', points };
}

/** A counter that is smaller than before was reset. */
function increaseOf(values: readonly number[]): number {
  return values.slice(1).reduce((sum, value, index) => {
    const before = values[index] as number;
    return sum + (value >= before ? value - before : value);
  }, 0);
}

const AGGREGATES: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
};

function aggregate(node: SyntaxNode, evaluation: Evaluation): Point[] {
  const operation = AGGREGATES[textOf(child(node, 'AggregateOp', evaluation), evaluation)];
  if (!operation) return unknown(node, evaluation);
  const modifier = node.getChild('AggregateModifier');
  if (modifier && !modifier.getChild('By')) return unknown(modifier, evaluation);
  const grouping = modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
  const by = grouping.map((each) => textOf(each, evaluation));
  const of = valueOf(only(child(node, 'FunctionCallBody', evaluation), evaluation), evaluation);
  if (of.kind !== 'vector') return unknown(node, evaluation);
  const groups = new Map<string, { labels: Record<string, string>; values: number[] }>();
  for (const { labels, value } of of.points) {
    const kept = Object.fromEntries(Object.entries(labels).filter(([label]) => by.includes(label)));
    const group = groups.get(keyOf(kept)) ?? { labels: kept, values: [] };
    group.values.push(value);
    groups.set(keyOf(kept), group);
  }
  return [...groups.values()].map(({ labels, values }) => ({ labels, value: operation(values) }));
}

const ARITHMETIC: Record<string, (left: number, right: number) => number> = {
  Sub: (left, right) => left - right,
  Div: (left, right) => left / right,
};
const COMPARISONS: Record<string, (left: number, right: number) => boolean> = {
  Eql: (left, right) => left === right,
  Gtr: (left, right) => left > right,
  Lss: (left, right) => left < right,
};

/** Points of two vectors match if all labels are equal. A comparison keeps the matching points of its left side. */
function binary(node: SyntaxNode, evaluation: Evaluation): Value {
  const [leftNode, operator, rightNode, ...more] = childrenOf(node);
  if (!leftNode || !operator || !rightNode || more.length > 0) return unknown(node, evaluation);
  const arithmetic = ARITHMETIC[operator.name];
  const comparison = COMPARISONS[operator.name];
  const left = valueOf(leftNode, evaluation);
  const right = valueOf(rightNode, evaluation);
  if (arithmetic) {
    if (left.kind === 'scalar' && right.kind === 'scalar')
      return { kind: 'scalar', value: arithmetic(left.value, right.value) };
    const points = pairs(left, right).map(([one, other, labels]) => ({
      labels,
      value: arithmetic(one, other),
    }));
    return { kind: 'vector', points };
  }
  if (!comparison || left.kind !== 'vector') return unknown(node, evaluation);
  const points = pairs(left, right)
    .filter(([one, other]) => comparison(one, other))
    .map(([value, , labels]) => ({ labels, value }));
  return { kind: 'vector', points };
}

function pairs(left: Value, right: Value): [number, number, Record<string, string>][] {
  if (left.kind === 'scalar')
    return right.kind === 'scalar'
      ? []
      : right.points.map(({ labels, value }) => [left.value, value, labels]);
  if (right.kind === 'scalar') return left.points.map(({ labels, value }) => [value, right.value, labels]);
  return left.points.flatMap(({ labels, value }) => {
    const other = right.points.find((each) => keyOf(each.labels) === keyOf(labels));
    return other ? [[value, other.value, labels] as [number, number, Record<string, string>]] : [];
  });
}

const MATCHES: Record<string, (wanted: string) => (value: string) => boolean> = {
  EqlSingle: (wanted) => (value) => value === wanted,
  Neq: (wanted) => (value) => value !== wanted,
  EqlRegex(wanted) {
    const pattern = new RegExp(`^(?:${wanted})$`);
    return (value) => pattern.test(value);
  },
};

function matcherOf(selector: SyntaxNode, evaluation: Evaluation): (sample: Sample) => boolean {
  const name = textOf(child(selector, 'Identifier', evaluation), evaluation);
  const matchers = (
    selector.getChild('LabelMatchers') ? childrenOf(child(selector, 'LabelMatchers', evaluation)) : []
  ).map((node) => {
    if (node.name !== 'UnquotedLabelMatcher') return unknown(node, evaluation);
    const matches = MATCHES[child(node, 'MatchOp', evaluation).firstChild?.name ?? ''];
    if (!matches) return unknown(node, evaluation);
    const label = textOf(child(node, 'LabelName', evaluation), evaluation);
    const isWanted = matches(
      JSON.parse(textOf(child(node, 'StringLiteral', evaluation), evaluation)) as string,
    );
    return ({ labels }: Sample) => isWanted(labels[label] ?? '');
  });
  return (sample) => sample.name === name && matchers.every((matches) => matches(sample));
}

function number(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`No plain number: ${text}`);
  return Number(text);
}

function duration(text: string): number {
  const [, minutes] = /^(\d+)m$/.exec(text) ?? [];
  if (minutes === undefined) throw new Error(`No duration in minutes: ${text}`);
  return Number(minutes) * 60;
}

function keyOf(labels: Record<string, string>): string {
  return JSON.stringify(Object.entries(labels).sort());
}

function child(node: SyntaxNode, name: string, evaluation: Evaluation): SyntaxNode {
  return node.getChild(name) ?? unknown(node, evaluation);
}

function only(node: SyntaxNode, evaluation: Evaluation): SyntaxNode {
  const [first, ...more] = childrenOf(node);
  return first && more.length === 0 ? first : unknown(node, evaluation);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let each = node.firstChild; each; each = each.nextSibling) children.push(each);
  return children;
}

function textOf({ from, to }: SyntaxNode, { text }: Evaluation): string {
  return text.slice(from, to);
}

function unknown(node: SyntaxNode, evaluation: Evaluation): never {
  throw new Error(`The evaluator does not know ${node.name} in: ${textOf(node, evaluation)}`);
}
