import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lines of TypeScript. */
export function countLines(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}
