// The settings, from .env.example. test/merchant/platform/config.test.ts compares that file with the settings that are read.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codes, table } from './markdown';

const EXAMPLE = join(__dirname, '..', '..', '.env.example');

export function settings(): string {
  const paragraphs = readFileSync(EXAMPLE, 'utf8').split(/\n\n+/);
  const rows = paragraphs.flatMap((paragraph) => {
    const lines = paragraph.split('\n').map((line) => line.replace(/^# ?/, ''));
    const isSetting = (line: string) => /^[A-Z][A-Z0-9_]+=/.test(line);
    const text = lines.filter((line) => !isSetting(line)).join(' ');
    // Settings of the sandbox are on its own page.
    const names = lines.filter((line) => isSetting(line) && !line.startsWith('SANDBOX_'));
    return names.length === 0 ? [] : [[codes(names), firstSentence(text)]];
  });
  return table(['Setting and default', 'Meaning'], rows);
}

/** Neither a colon nor the dot of an abbreviation ends a sentence. */
function firstSentence(text: string): string {
  return /^.*?[.](?= [A-Z]|$)/.exec(text)?.[0] ?? text;
}
