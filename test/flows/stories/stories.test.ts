// Each story that sends no card to the merchant ends as expected. The others are in the folder of the option that takes cards.

import { STORIES } from '../../../src/sandbox/stories/stories';
import { expectGoodEnding } from '../../support/stories';
import { useWorld } from '../../support/use-world';

const world = useWorld();

test.each(STORIES.filter(({ sendsCard }) => !sendsCard).map((story) => [story.name, story] as const))(
  '%s',
  (_, story) => expectGoodEnding(world, story),
);
