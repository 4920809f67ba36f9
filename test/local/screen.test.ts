// The start shows each step, on a terminal with its duration, and what the programs log waits until the start is over.

import { PassThrough } from 'node:stream';
import { createScreen } from '../../src/local/screen';
import { nextTurn } from '../support/eventually';

const output = (isTTY: boolean) => {
  const written: string[] = [];
  return { isTTY, columns: 40, written, write: (text: string) => written.push(text) };
};
const text = ({ written }: { written: string[] }) => written.join('');

test('the lines of a program wait for the end of the start, and come at once after it', async () => {
  const [log, steps, program] = [output(false), output(false), new PassThrough()];
  const screen = createScreen(log, steps);
  screen.follow(program, (line) => (line === 'quiet' ? '' : `said ${line}\n`));
  program.write('one\nquiet\n');
  await screen.step('PostgreSQL', nextTurn);
  await nextTurn();
  expect(text(log)).toBe('');
  expect(text(steps)).toBe('PostgreSQL …\n');
  screen.release();
  expect(text(log)).toBe('said one\n');
  program.write('two\n');
  await nextTurn();
  expect(text(log)).toBe('said one\nsaid two\n');
});

test('on a terminal a step is one line that is drawn again, no wider than the terminal', async () => {
  const steps = output(true);
  const screen = createScreen(output(true), steps);
  await screen.step('Migrations of the database that is new', nextTurn);
  const lines = text(steps).split('\r\x1b[K');
  expect(lines[1]).toMatch(/^ {2}Migrations of the database {3}0\.\d s …$/);
  expect(lines[2]).toMatch(/^ {2}Migrations of the database {3}0\.\d s\n$/);
  for (const line of lines) expect(line.trimEnd().length).toBeLessThan(40);
});

test('a step that fails is not said to be done, and its error is thrown', async () => {
  const steps = output(true);
  const screen = createScreen(output(true), steps);
  await expect(screen.step('Merchant', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  screen.release();
  expect(text(steps)).not.toContain('\n');
});
