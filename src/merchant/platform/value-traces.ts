// Traces of another parser in a value. Docker's env files keep quotation marks and comments that dotenv and Node remove, so a secret
// would be another one than the file seems to say.

import { isSecretName, type Given } from './settings';

/** Refused in every setting. */
const ANYWHERE: readonly [trace: RegExp, problem: string][] = [
  [/\r/, 'has a carriage return: the file has the line ends of Windows; save it with those of Unix (LF)'],
  [/^(["'`]).*\1$/s, 'stands in quotation marks, which are a part of the value here; write it without them'],
  [/[\p{Cc}\uFEFF]/u, 'has a control character or a line end; type the value again'],
];

/** Refused in secrets, where none of it can be meant. */
const IN_SECRETS: readonly [trace: RegExp, problem: string][] = [
  [/^\s|\s$/, 'has white space at its ends; remove it'],
  [/\s#/, 'has " #": a comment behind a value belongs to the value here; give it a line of its own'],
  [/^["'`]|["'`]$/, 'begins or ends with a quotation mark, which is a part of the value here; remove it'],
  [/[\p{Cf}\u00A0]/u, 'has a character that cannot be seen; type the value again'],
  [/^\$(\{.*\}|\(.*\)|[A-Z_]+)$/s, 'is a reference that nothing has replaced; write the value itself'],
];

/** The first problem of each setting, without its value. */
export function traceProblems(given: Given): string[] {
  return Object.entries(given).flatMap(([name, value = '']) => {
    const traces = isSecretName(name) ? [...ANYWHERE, ...IN_SECRETS] : ANYWHERE;
    const [, problem] = traces.find(([trace]) => trace.test(value)) ?? [];
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
}
