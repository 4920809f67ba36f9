// No secret is in the repository: every file is searched, and the search finds planted values.
// test/processes/image.test.ts searches the image.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles } from '../../../test/support/repository-files';
import { findSecrets } from '../../../test/support/secret-search';

const root = join(__dirname, '..', '..', '..');
const files = repositoryFiles(root);
const isPicture = (path: string) => /\.(png|ico|webp|woff2?)$/.test(path);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('J15 no file of the repository contains a private key, a token, a password or a live credential', () => {
  const texts = files.filter((path) => !isPicture(path));
  expect(texts.length).toBeGreaterThan(800);
  const found = texts.flatMap((path) =>
    findSecrets(read(path)).map(({ kind, line }) => `${path}:${line} ${kind}`),
  );
  expect(found).toEqual([]);
});

test('J15 local files are neither tracked nor in the image', () => {
  const names =
    /(^|\/)(\.env(\.(?!example$).*)?|.*\.(pem|key|p12|pfx|secret)|id_(rsa|ed25519)|\.netrc|live\.env)$/;
  expect(files.filter((path) => names.test(path))).toEqual([]);
  for (const path of ['.env', 'live.env', '.data/secrets.json', '.git/config', 'node_modules/x'])
    expect([path, goesIntoTheImage(path)]).toEqual([path, false]);
  expect(goesIntoTheImage('src/merchant/server.ts')).toBe(true);
  // A build argument stays readable in the history of an image.
  const set = [...read('Dockerfile').matchAll(/^(?:ARG|ENV) (\w+)/gm)].map(([, name]) => name);
  expect(set).toEqual(['NODE_IMAGE', 'SANDBOX_IN_CONTAINER', 'SANDBOX_HOST', 'NODE_ENV', 'HOST']);
});

/** By the rules of .dockerignore here: everything is excluded except what is named. */
function goesIntoTheImage(path: string): boolean {
  const [first, ...rules] = read('.dockerignore').trim().split('\n');
  expect(first).toBe('*');
  return rules.reduce((goes, rule) => {
    const name = rule.replace('!', '');
    return path === name || path.startsWith(`${name}/`) ? rule.startsWith('!') : goes;
  }, false);
}

// Built from parts, so that this file does not contain them.
const planted: [string, string][] = [
  ['private key', ['-----BEGIN EC', 'PRIVATE KEY-----'].join(' ')],
  ['secret of Standard Webhooks', `ORDER_EVENTS=${['whsec', 'Ab1+'.repeat(11)].join('_')}`],
  ['secret under its name', `FORM_SECRET=${['q7Rz0pXk2', 'Wm9LtY4vBn8'].join('')}`],
  [
    'password in an address',
    `postgresql://merchant:${['k3Jd9sLq2', 'Xz7Pw0Rt'].join('')}@db.example.com/shop`,
  ],
];

test.each(planted)('the search finds a planted %s', (kind, line) => {
  expect(findSecrets(`first\n${line}\nlast`)).toEqual([{ kind, line: 2 }]);
});

test('the search does not report ordinary words', () => {
  expect(findSecrets(`token: 'form-secret-of-the-tests-0123'\npassword=correct-horse`)).toEqual([]);
});
