// `npm run tool -- api-keys`: lists, makes and revokes API keys with scopes, for example before the server has its first one.

import { isRowId } from '../core/attempts/attempt-schema';
import { keyJson } from '../options/api-keys/key-routes';
import { findKeys } from '../options/api-keys/key-store';
import { makeKey, newKeySchema, revokeKey } from '../options/api-keys/manage-keys';
import { SCOPES, type Context } from '../platform/context';
import { problemText } from '../platform/problem-text';
import { byWhom, runCommand, UsageError, type Command, type CommandResult } from './command';
import { withContext } from './with-context';

const HELP = `npm run tool -- api-keys [--json]
npm run tool -- api-keys make <name> --scopes ${SCOPES.slice(0, 2).join(',')} [--refund-limit won] [--by name] [--json]
npm run tool -- api-keys revoke <id> [--by name] [--json]

Lists, makes and revokes keys of the JSON API. A key is shown once, when it is
made: only its hash is stored. The scopes are
${SCOPES.join(', ')}. The setting API_KEY has all of them and is
not in the list. A key that was revoked is refused from the next request on.

  --scopes  what the key may do, separated by commas
  --refund-limit  won that the key may refund of one payment; no limit by default
  --by      who does it, for the log; the user of this computer by default
  --json    the outcome as JSON on standard output
  --help    this text

Exit code: 0 done; 1 a valid key has this name; 2 wrong arguments, settings, or
no such id; 3 the database does not answer.
`;

/** More keys than a merchant has systems. */
const MOST_LISTED = 1000;

export const command: Command = {
  help: HELP,
  options: { scopes: { type: 'string' }, 'refund-limit': { type: 'string' }, by: { type: 'string' } },
  async run({ values, positionals }, { stderr }) {
    const [verb, subject = '', ...more] = positionals;
    if (verb === undefined) return withContext(list, stderr);
    const given = { scopes: values['scopes'], limit: values['refund-limit'], by: byWhom(values) };
    const work = more.length > 0 ? null : workOf(verb, subject, given);
    if (!work)
      throw new UsageError('Say "make <name> --scopes ...", "revoke <id>", or nothing for the list.');
    return withContext(work, stderr);
  },
};

type Work = (context: Context) => Promise<CommandResult>;

type Given = { scopes: unknown; limit: unknown; by: string };

function workOf(verb: string, subject: string, given: Given): Work | null {
  if (verb === 'revoke' && isRowId(subject)) return (context) => revoke(context, BigInt(subject), given.by);
  return verb === 'make' ? (context) => make(context, subject, given) : null;
}

async function list(context: Context): Promise<CommandResult> {
  const keys = (await findKeys(context, undefined, MOST_LISTED)).map(keyJson);
  const lines = keys.map(
    ({ id, name, scopes, last_used_at: used, revoked_at: revoked }) =>
      `${id}  ${name}  ${scopes.join(',')}  ${revoked ? `revoked ${revoked}` : `last used ${used ?? 'never'}`}\n`,
  );
  return { exitCode: 0, text: lines.join('') || 'There are no keys besides API_KEY.\n', json: keys };
}

async function make(context: Context, name: string, { scopes, limit, by }: Given): Promise<CommandResult> {
  if (name === '') throw new UsageError('Missing the name of the key.');
  if (typeof scopes !== 'string') throw new UsageError(`Missing --scopes: some of ${SCOPES.join(', ')}.`);
  const fields = {
    name,
    scopes: scopes.split(','),
    ...(limit !== undefined && { refund_limit: Number(limit) }),
  };
  const asked = newKeySchema.safeParse(fields, { error: problemText });
  if (!asked.success)
    throw new UsageError(
      asked.error.issues.map(({ path, message }) => `The ${path.join(' ')} ${message}.`).join('\n'),
    );
  const made = await makeKey(context, asked.data, { by });
  if (!made)
    return { exitCode: 1, text: `A valid key has the name ${name}.\n`, json: { outcome: 'name_taken' } };
  const json = { ...keyJson(made.stored), key: made.key };
  return { exitCode: 0, text: `${made.key}\nThis is key ${json.id}, ${name}. It is shown only now.\n`, json };
}

async function revoke(context: Context, id: bigint, by: string): Promise<CommandResult> {
  const stored = await revokeKey(context, id, { by });
  if (!stored) throw new UsageError(`There is no key ${id}.`);
  return { exitCode: 0, text: `Key ${id}, ${stored.name}, is revoked.\n`, json: keyJson(stored) };
}

if (require.main === module) void runCommand(command);
