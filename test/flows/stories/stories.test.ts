// Each story ends as expected. Those that need a route of an option are in its folder.

import { STORIES } from '../../../src/sandbox/stories/stories';
import { expectGoodEnding } from '../../support/stories';
import { useWorld } from '../../support/use-world';

const world = useWorld();

test.each(
  STORIES.filter(({ sendsCard, requestsKey }) => !sendsCard && !requestsKey).map(
    (story) => [story.name, story] as const,
  ),
)('%s', (_, story) => expectGoodEnding(world, story));
