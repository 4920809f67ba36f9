// A program tries stolen cards in the merchant's form, to learn which ones are good. Few of them may reach the service, and
// other members must not notice.

import {
  changeBrowser,
  countIssuances,
  fillIn,
  openCardForm,
  postCardForm,
  sendCardForm,
} from './member-form';
import type { Stage, Story } from './story';

const STOLEN_CARD = '53871246';
const MEMBERS_CARD = '54091357';
const TRIES = 8;
/** A person mistypes a card, and tries another one. */
const ALLOWED = 5;

export const cardTesting: Story = {
  name: 'card-testing',
  needs: 'card-form',
  steps: [
    {
      name: 'try',
      async run(stage) {
        const before = await countIssuances(stage);
        stage.facts['answers'] = (await tryCards(stage)).join(', ');
        stage.facts['calls'] = String((await countIssuances(stage)) - before);
      },
    },
    {
      name: 'member',
      async run(stage) {
        changeBrowser(stage);
        const { status } = await postCardForm(stage, '/cards/new', '/cards', MEMBERS_CARD);
        stage.facts['member'] = String(status);
      },
    },
  ],
  ending({ facts }) {
    const answers = Array.from({ length: TRIES }, (_, at) => (at < ALLOWED ? 303 : 429));
    return Promise.resolve([
      { name: 'answers', expected: answers.join(', '), came: facts['answers'] ?? '' },
      { name: 'calls', expected: String(ALLOWED), came: facts['calls'] ?? '' },
      { name: 'member', expected: '303', came: facts['member'] ?? '' },
    ]);
  },
};

/** Another card in each of several forms of one browser. Returns the status of each answer. */
async function tryCards(stage: Stage): Promise<number[]> {
  changeBrowser(stage);
  const forms = [];
  for (let at = 0; at < TRIES; at += 1) forms.push(await openCardForm(stage, '/cards/new'));
  await fillIn(stage);
  const statuses = [];
  for (const form of forms) statuses.push(await sendCardForm(stage, '/cards', form, STOLEN_CARD));
  return statuses;
}
