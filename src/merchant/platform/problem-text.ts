// What is wrong with an untrusted value, in our own words, for the API, the commands and the settings. A schema's own
// message comes first; this covers the rest, so that no reader meets the texts of zod. No text repeats a value.

import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** For `safeParse(input, { error: problemText })`. Continues a sentence that begins with the field's name. */
export function problemText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return sizeText(issue.origin, 'at least', Number(issue.minimum) + (issue.inclusive === false ? 1 : 0));
    case 'too_big':
      return sizeText(issue.origin, 'at most', Number(issue.maximum) - (issue.inclusive === false ? 1 : 0));
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      return 'must be in the described format';
    case 'unrecognized_keys':
      return 'has unknown fields';
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.input === undefined ? 'is required' : 'is not as described';
  }
}

/** By zod's name of the expected type. */
const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
  never: 'absent',
};

function sizeText(origin: string, bound: 'at least' | 'at most', size: number): string {
  if (origin === 'string' && bound === 'at least' && size === 1) return 'must not be empty';
  if (origin === 'string') return `must have ${bound} ${size} ${size === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `must have ${bound} ${size} ${size === 1 ? 'item' : 'items'}`;
  return `must be ${bound} ${size}`;
}

function oneOf(values: readonly unknown[]): string {
  return `${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}`;
}
