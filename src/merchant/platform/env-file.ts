// Reads `.env` into the variables of the process, as Node does, and finds the names in it that nothing reads.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './config';
import { fileSettingOf } from './secret-files';
import { isSecretName } from './settings';

const FILE = '.env';
const SOURCES = join(__dirname, '..');

/** Read by the other programs of this repository. `test/merchant/platform/config.test.ts` compares .env.example. */
const OF_OTHER_PROGRAMS = [
  'DATA_DIR',
  'LOG_FORMAT',
  'SANDBOX_PORT',
  'SANDBOX_HOST',
  'SANDBOX_DATA_DIR',
  'SANDBOX_WEBHOOK_URL',
  'SANDBOX_MERCHANT_API_KEY',
];
/** Read by Node, npm, Docker compose or the system, whose names have no end. */
const OF_THE_SYSTEM =
  /^(NODE_|npm_|POSTGRES_|COMPOSE_|DOCKER_|LC_|PG[A-Z]+$|(HTTPS?|NO|ALL)_PROXY$|(https?|no|all)_proxy$)|^(TZ|LANG|PATH|HOME|CI|EDITOR|DEBUG|NO_COLOR|FORCE_COLOR|CHROMIUM_PATH|MERCHANT_VERSION)$/;

/**
 * Variables of the process override those of the file, also a secret that one of them gives as a file. The shop's own
 * files read process.env as well.
 * @param environment process.env
 * @throws ConfigError if the file cannot be read
 */
export function loadEnvFile(environment: NodeJS.ProcessEnv, folder = process.cwd()): void {
  const values = readEnvFile(folder);
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  for (const [name, value] of Object.entries(values)) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : fileSettingOf(name);
    if (!(name in environment) && !isSet(other)) environment[name] = value;
  }
}

/**
 * Names that no program reads, each with the setting that was probably meant: those of the file, and variables of the
 * process that are nearly a setting of ours.
 * @param settings the names of our settings
 */
export function unreadNames(
  settings: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder = process.cwd(),
): string[] {
  const known = [...settings, ...settings.filter(isSecretName).map(fileSettingOf), ...OF_OTHER_PROGRAMS];
  const isKnown = (name: string) => known.includes(name) || OF_THE_SYSTEM.test(name);
  const inFile = Object.keys(readEnvFile(folder)).filter((name) => !isKnown(name));
  const others = Object.keys(environment).filter(
    (name) => !inFile.includes(name) && !isKnown(name) && isMisspelt(name, settings),
  );
  const read = namesInSources([...inFile, ...others]);
  return [...inFile, ...others]
    .filter((name) => !read.has(name))
    .map((name) => {
      const meant = closestWord(name.toUpperCase(), known);
      return `${name}: nothing reads it${meant === null ? '' : `; ${meant} was probably meant`}`;
    });
}

/** A process has many variables that are not ours, so only a difference of one or two characters counts. */
function isMisspelt(name: string, settings: readonly string[]): boolean {
  return name.length >= 8 && settings.some((known) => known !== name && distanceOf(name, known) <= 2);
}

function readEnvFile(folder: string): Record<string, string> {
  const bytes = bytesOf(folder);
  if (bytes === null) return {};
  if (/^(fffe|feff)/.test(bytes.subarray(0, 2).toString('hex')))
    throw new ConfigError([`${FILE}: is in UTF-16; save it as UTF-8`]);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const cut = [...text.matchAll(CUT)].map(([, name = '']) => name).filter(isSecretName);
  if (cut.length > 0)
    throw new ConfigError(
      cut.map(
        (name) =>
          `${name}: its value in ${FILE} has a "#", which begins a comment there; put the value in quotation marks, in a URL write %23`,
      ),
    );
  return parseEnv(text) as Record<string, string>;
}

/** A name, and a "#" within its unquoted value. */
const CUT = /^[^\S\n]*(?:export[^\S\n]+)?(\w+)[^\S\n]*=[^\S\n]*(?!['"`])\S*[^\s#]#/gm;

function bytesOf(folder: string): Buffer | null {
  const path = join(folder, FILE);
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError([
      `${FILE}: ${path} cannot be read (${code ?? 'unknown'}); make it a file that this user may read`,
    ]);
  }
}

/** Which of these names stand in a file of the merchant, such as a setting that the shop's own files read. */
function namesInSources(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  if (names.length === 0) return found;
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.[jt]s$/.test(file)) continue;
    const text = readFileSync(join(SOURCES, file), 'utf8');
    for (const name of names) if (new RegExp(`['"\`.]${name}\\b`).test(text)) found.add(name);
  }
  return found;
}

/** The word that was probably meant by a misspelt one; null if none is close: at most a third of the characters differ. */
function closestWord(typed: string, words: readonly string[]): string | null {
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= Math.max(1, typed.length / 3) ? best.word : null;
}

/** How many characters have to be added, removed or replaced (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (character === other[column] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
