// Each story that sends a card to the merchant ends as expected.

import { SANDBOX_CARD_LIMITS } from '../../../../src/merchant/options/card-form/card-limits';
import { STORIES } from '../../../../src/sandbox/stories/stories';
import { expectGoodEnding } from '../../../support/stories';
import { useWorld } from '../../../support/use-world';

const world = useWorld({ constants: { cardLimits: SANDBOX_CARD_LIMITS } });

test.each(STORIES.filter(({ needs }) => needs === 'card-form').map((story) => [story.name, story] as const))(
  '%s',
  (_, story) => expectGoodEnding(world, story),
);
