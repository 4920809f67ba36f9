// What a member's cards pay for: each feature names its part.

import type { CardUse, Context } from '../../platform/context';

export async function findCardUses(context: Context, memberId: string): Promise<CardUse[]> {
  const parts = context.features.map(async ({ cardUses }) => cardUses?.(context, memberId) ?? []);
  return (await Promise.all(parts)).flat();
}
