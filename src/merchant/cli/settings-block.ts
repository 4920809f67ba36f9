// The settings of production as a block for an env file: every required one, with secrets of ours made anew and the others left
// blank, which counts as not set.

import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { OWN_SECRETS, problemsInProduction, SETTINGS } from '../settings';

type Line = { name: string; value: string; comment: string; isOff?: boolean };

/** Not required, but most deployments need them. */
const USUAL: readonly Line[] = [
  {
    name: 'SERVICE_NAME_PREFIX',
    value: '',
    comment: 'The prefix of the names of your account, if it is not svc.',
  },
  { name: 'TRUSTED_PROXIES', value: '', comment: 'The addresses of your reverse proxies.' },
  { name: 'RETURN_URLS', value: '', comment: 'Origins of your shop to which pages send the browser back.' },
];

/** The lines in their order. Nothing is read or written; each call makes new secrets. */
export function settingsBlock(): Line[] {
  const required = missingSettings().map((name) => ({
    name,
    value: OWN_SECRETS.includes(name) ? randomBytes(32).toString('base64url') : '',
    comment: (SETTINGS[name] as z.ZodType).description ?? '',
  }));
  const isBlank = ({ value }: Line) => value === '';
  return [
    { name: 'NODE_ENV', value: 'production', comment: '' },
    ...required.filter(isBlank),
    ...USUAL,
    ...required.filter((line) => !isBlank(line)),
    {
      name: 'DATABASE_OWNER_URL',
      value: '',
      comment: 'The role that owns the tables, only where migrate and restored run.',
      isOff: true,
    },
    {
      name: 'ORDER_EVENTS_URL',
      value: '',
      comment: 'Where events of orders are posted, with https.',
      isOff: true,
    },
    {
      name: 'ORDER_EVENTS_SECRET',
      value: `whsec_${randomBytes(32).toString('base64')}`,
      comment: 'Signs events of orders; needs ORDER_EVENTS_URL.',
      isOff: true,
    },
  ];
}

/** As dotenv and `docker run --env-file` read it: comments have lines of their own. */
export function blockText(lines: readonly Line[]): string {
  return lines
    .map(({ name, value, comment, isOff }) => {
      const above = comment === '' ? '' : `# ${comment}\n`;
      return `${above}${isOff ? '# ' : ''}${name}=${value}\n`;
    })
    .join('');
}

/** What production needs and has no default for, by the rules of the settings themselves. */
function missingSettings(): string[] {
  return [...new Set(problemsInProduction({}).map((problem) => problem.split(':', 1)[0] ?? ''))];
}
