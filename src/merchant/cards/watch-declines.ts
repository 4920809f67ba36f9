// Many hands and many addresses stay below every limit of their own. What they cannot hide is that most of their cards are
// declined: such a wave closes the form for everybody, for a while (K3 of docs/faults.md).

import type { Context } from '../context';
import { closeForm, countResult } from './card-limit-store';

/**
 * Takes note of the result of one issuance, in all processes together. Only what the service has said of the card is a
 * result: a lost answer and a service that is away are none.
 * @throws DatabaseError
 */
export async function watchDeclines(context: Context, result: 'registered' | 'declined'): Promise<void> {
  const { wave } = context.config.cardLimits;
  const { results, declined } = await countResult(context, result === 'declined');
  if (results < wave.results || declined <= wave.declinedPart * results) return;
  if (!(await closeForm(context))) return;
  context.metrics.cardFormClosures.inc();
  const { closedSeconds } = wave;
  context.logger.warn({ event: 'card_form_closed', results, declined, closed_seconds: closedSeconds });
}
