// The navigation: the overview and the action queue, then the lists and pages in groups.

import type { Context, OperatorPages } from '../../../platform/context';
import type { OperatorTexts } from '../texts';
import { recordsOf } from './page';

type Group = keyof OperatorTexts['operator']['placeGroups'];

/** The lists of each group, by the last part of their path. The lists and pages of options join them. */
const LISTS: Readonly<Record<Group, readonly string[]>> = {
  money: ['orders', 'payments', 'refunds', 'charges'],
  customers: ['keys', 'issuances'],
  records: ['discrepancies', 'notifications', 'events'],
  settings: [],
};

/** Pages that no link of the navigation names, by the group to which they belong. */
const UNLISTED: Partial<Record<Group, string>> = { customers: 'members' };

export type PlaceGroup = {
  name: Group;
  /** Whether the page is one of the group. */
  isHere: boolean;
  places: { path: string; name: string; isHere: boolean }[];
};

/** @param more pages of their own that this operator may open */
export function placeGroups(
  context: Pick<Context, 'features'>,
  { words, lang, place }: { words: OperatorTexts; lang: 'ko' | 'en'; place: string | null },
  more: readonly OperatorPages[],
): PlaceGroup[] {
  const names: Readonly<Record<string, string>> = words.operator.places;
  const records = recordsOf(context).map((each) => each.place);
  const here = `/operator/${place}`;
  return Object.entries(LISTS).map(([name, lists]) => {
    const listed = name === 'customers' ? [...lists, ...records] : lists;
    const pages = more.filter(({ group = 'settings' }) => group === name);
    const places = [
      ...listed.map((list) => ({ path: `/operator/${list}`, name: names[list] ?? list })),
      ...pages.map((page) => ({ path: page.path, name: page.name[lang] })),
    ].map((each) => ({ ...each, isHere: each.path === here }));
    const isHere = places.some((each) => each.isHere) || UNLISTED[name as Group] === place;
    return { name: name as Group, isHere, places };
  });
}
