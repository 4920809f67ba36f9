// Every statement that changes or deletes rows has a condition (row F11 of docs/13-faults.md). Prisma refuses a filter without a value
// (strictUndefinedChecks), but an empty filter matches every row.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCES = join(__dirname, '..', '..', '..', 'src', 'merchant');
const CHANGES = new Set(['update', 'updateMany', 'updateManyAndReturn', 'upsert', 'delete', 'deleteMany']);

test('F11 every update and deletion of rows has a filter with a condition that is always present', () => {
  const calls = sourceFiles().flatMap(changesIn);
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter(({ hasCondition }) => !hasCondition).map(({ at }) => at)).toEqual([]);
});

test('F11 every update and deletion in SQL has a condition', () => {
  const statements = sourceFiles().flatMap((file) => sqlIn(readFileSync(file, 'utf8')));
  expect(statements.length).toBeGreaterThan(10);
  // A text that ends with its `from` is the beginning of other statements.
  expect(statements.filter((sql) => !/\bwhere\b|\bfrom\s*$/.test(sql))).toEqual([]);
});

test('every statement that takes a few of the due rows says which ones come first', () => {
  const claims = sourceFiles().flatMap((file) => claimsIn(readFileSync(file, 'utf8')));
  expect(claims.length).toBeGreaterThan(5);
  // An index often returns them in this order anyway, so that no test with rows would notice.
  expect(claims.filter((sql) => !/\border by [\w., ]+ limit\b/.test(sql))).toEqual([]);
});

test('F11 Prisma’s strict checks are on in the generated client', () => {
  const schema = readFileSync(join(SOURCES, '..', '..', 'prisma', 'schema', 'main.prisma'), 'utf8');
  expect(schema).toMatch(/previewFeatures\s*=\s*\["strictUndefinedChecks"\]/);
});

function sourceFiles(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(SOURCES, file));
}

/** The calls of Prisma's methods that change rows: `database.order.updateMany({ where: { … } })`. */
function changesIn(file: string): { at: string; hasCondition: boolean }[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: { at: string; hasCondition: boolean }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const isOfDatabase = /\bdatabase\.\w+$/.test(expression.getText(source));
      if (isOfDatabase && CHANGES.has(name.text)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        found.push({ at: `${file}:${line + 1}`, hasCondition: hasCondition(node.arguments[0]) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A value that is spread into a filter may be empty. */
function hasCondition(argument: ts.Expression | undefined): boolean {
  if (!argument || !ts.isObjectLiteralExpression(argument)) return false;
  const where = argument.properties.find((each) => each.name?.getText() === 'where');
  if (!where || !ts.isPropertyAssignment(where) || !ts.isObjectLiteralExpression(where.initializer))
    return false;
  return where.initializer.properties.some((each) => !ts.isSpreadAssignment(each));
}

/** From each `update … set` and `delete from` to the end of its statement, or of its part in a larger one. */
function sqlIn(text: string): string[] {
  return [...text.matchAll(/^[^/*]*?\b(?:update [a-z_.]+(?: \w+)? set|delete from)\b[^`;]*/gm)].map(
    ([sql]) => sql,
  );
}

/** From each `select` that locks a limited number of rows to its `limit`. */
function claimsIn(text: string): string[] {
  const ends = text.split(/(?<=\blimit \S+)\s+for update\b/).slice(0, -1);
  return ends.map((before) => before.slice(before.lastIndexOf('select ')).replace(/\s+/g, ' '));
}
