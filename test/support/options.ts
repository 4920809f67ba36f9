// Tests of one option may meet another one, which may have been removed.

import { FEATURES } from '../../src/merchant/features';

export function hasOption(option: string): boolean {
  return FEATURES.some(({ name }) => name === option);
}
