// Typed cards in a story.

import type { StoryPart } from '../parts';
import { payWithCard, payWithCardFor, register } from './typed-cards';

export const part: StoryPart = {
  actions: [
    [2, register, () => true],
    [1, payWithCard, () => true],
  ],
  payFor: payWithCardFor,
  end: () => Promise.resolve(),
  check: () => [],
};
