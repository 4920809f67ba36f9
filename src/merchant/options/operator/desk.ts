// The desk: everything that only a person can settle, what it may mean and what to do about it; and what the polls should
// have settled by now.

import type { DiscrepancyKind, NoteSubject } from '../../../generated/prisma/client';
import { isRowId } from '../../core/attempts/decision-schema';
import { listIssuances } from '../../core/billing-keys/issuance-routes';
import { issuanceJson, issuancesQuery } from '../../core/billing-keys/issuance-schema';
import { findStuckIssuances } from '../../core/billing-keys/issuance-store';
import { listCharges } from '../../core/charges/charge-list-routes';
import { chargeJson, chargesQuery } from '../../core/charges/charge-list-schema';
import { findStuckCharges } from '../../core/charges/charge-list-store';
import { discrepancyKinds, isAboutMoney } from '../../core/payments/discrepancy-kinds';
import { discrepanciesQuery, listDiscrepancies } from '../../core/payments/discrepancy-routes';
import { discrepancyJson } from '../../core/payments/discrepancy-schema';
import { countOpenDiscrepancies, findDiscrepancy } from '../../core/payments/discrepancy-store';
import { paymentErrors } from '../../core/payments/errors';
import { listRefunds } from '../../core/refunds/refund-list-routes';
import { refundJson, refundsQuery } from '../../core/refunds/refund-list-schema';
import { findStuckRefunds } from '../../core/refunds/refund-list-store';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import {
  giveBackDiscrepancy,
  lookAgainAtDiscrepancy,
  note,
  resolve,
  settleCharge,
  settleIssuance,
  settleRefund,
} from './actions';
import { findNotes } from './note-store';
import {
  toPage,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from './operator-page';
import { DESK, SEVERAL_ROUTES, severalOf } from './resolve-several';

/** Of each section. The lists have all of them. */
const SHOWN = 20;
const needsPerson = { needs_person: 'true', limit: String(SHOWN) };

/** What stands on the desk, by the names of its lists and of its addresses. */
const SUBJECTS = {
  discrepancies: 'discrepancy',
  charges: 'charge',
  refunds: 'refund',
  issuances: 'issuance',
} as const satisfies Record<string, NoteSubject>;
type Kind = keyof typeof SUBJECTS;

export const DESK_ROUTES: OperatorRoute[] = [
  { method: 'get', path: DESK, handle: showDesk },
  { method: 'get', path: `${DESK}/discrepancies/:id`, back: () => DESK, handle: showDiscrepancy },
  ...SEVERAL_ROUTES,
  action('discrepancies', 'resolve', resolve),
  action('discrepancies', 'refund', giveBackDiscrepancy),
  action('discrepancies', 'sync', lookAgainAtDiscrepancy),
  action('charges', 'settle', settleCharge),
  action('refunds', 'settle', settleRefund),
  action('issuances', 'settle', settleIssuance),
  ...Object.entries(SUBJECTS).map(([kind, subject]) =>
    action(kind as Kind, 'note', (context, asked) => note(context, asked, subject)),
  ),
];

function action(
  kind: Kind,
  name: string,
  act: (context: Context, request: OperatorRequest) => Promise<DoneKey>,
): OperatorRoute {
  return {
    method: 'post',
    path: `${DESK}/${kind}/:id/${name}`,
    back: () => DESK,
    page: kind === 'discrepancies' ? showDiscrepancy : showDesk,
    handle: async (context, request) => ({ kind: 'redirect', to: DESK, done: await act(context, request) }),
  };
}

type Section = {
  kind: Kind;
  /** Of discrepancies: all of a section are of one kind, so that no flood of one hides another. */
  of: DiscrepancyKind | null;
  /** How many there are; null where they are not counted. */
  number: number | null;
  /** Where several are resolved at once; null where they cannot be. */
  several: string | null;
  /** Whether the polls should have settled these by now; the others wait for nobody but a person. */
  isStuck: boolean;
  list: readonly { id: string }[];
  /** Where the others are; null where all of them are shown. */
  more: string | null;
};

async function showDesk(context: Context): Promise<OperatorAnswer> {
  const [discrepancies, charges, refunds, issuances, ...stuck] = await Promise.all([
    readDiscrepancies(context),
    listCharges(context, chargesQuery.parse(needsPerson)),
    listRefunds(context, refundsQuery.parse(needsPerson)),
    listIssuances(context, issuancesQuery.parse(needsPerson)),
    findStuckCharges(context).then((rows) => rows.map(chargeJson)),
    findStuckRefunds(context).then((rows) => rows.map(refundJson)),
    findStuckIssuances(context).then((rows) => rows.map(issuanceJson)),
  ]);
  const sections = [
    ...discrepancies.filter(({ of }) => of !== null && isAboutMoney(of)),
    toSection('charges', charges),
    toSection('refunds', refunds),
    toSection('issuances', issuances),
    toStuckSection('charges', stuck[0]),
    toStuckSection('refunds', stuck[1]),
    toStuckSection('issuances', stuck[2]),
    ...discrepancies.filter(({ of }) => of !== null && !isAboutMoney(of)),
  ].filter(({ list }) => list.length > 0);
  return toPage({
    template: 'desk',
    title: ({ operator }) => operator.places.desk,
    place: 'desk',
    data: { sections, notesOf: await readNotes(context, sections) },
  });
}

/** Each kind is listed by itself and not by its count, which stops at 100,000 over all kinds. */
async function readDiscrepancies(context: Context): Promise<Section[]> {
  const [[{ merchant_discrepancies_open: numbers }], ...pages] = await Promise.all([
    countOpenDiscrepancies(context),
    ...discrepancyKinds.map((kind) =>
      listDiscrepancies(context, discrepanciesQuery.parse({ open: 'true', kind, limit: String(SHOWN) })),
    ),
  ]);
  return discrepancyKinds.map((of, at) => {
    const { list = [], next = null } = pages[at] ?? {};
    return {
      ...BARE,
      kind: 'discrepancies',
      of,
      number: Math.max(numbers[of] ?? 0, list.length),
      several: list.length > 1 ? severalOf(of) : null,
      list,
      more: next === null ? null : `/operator/discrepancies?open=true&kind=${of}`,
    };
  });
}

const BARE = { isStuck: false, of: null, number: null, several: null };

function toSection(
  kind: Exclude<Kind, 'discrepancies'>,
  { list, next }: { list: readonly { id: string }[]; next: string | null },
): Section {
  return { ...BARE, kind, list, more: next === null ? null : `/operator/${kind}?needs_person=true` };
}

function toStuckSection(kind: Kind, rows: readonly { id: string }[]): Section {
  const more = rows.length > SHOWN ? `/operator/${kind}?status=unknown` : null;
  return { ...BARE, kind, isStuck: true, list: rows.slice(0, SHOWN), more };
}

/** One discrepancy, also one that is settled. */
async function showDiscrepancy(
  context: Context,
  { params: { id = '' } }: OperatorRequest,
): Promise<OperatorAnswer> {
  const discrepancy = isRowId(id) ? await findDiscrepancy(context, BigInt(id)) : null;
  if (!discrepancy) throw new HttpError(paymentErrors.discrepancy_not_found);
  const item = discrepancyJson(discrepancy);
  return toPage({
    template: 'discrepancy',
    title: ({ operator }) => `${operator.desk.names.discrepancies} ${id}`,
    place: 'desk',
    data: { item, notesOf: await readNotes(context, [{ kind: 'discrepancies', list: [item] }]) },
  });
}

/** What operators have noted about the rows of a page, the oldest first. */
async function readNotes(context: Context, sections: readonly Pick<Section, 'kind' | 'list'>[]) {
  const subjects = sections.map(({ kind, list }) => ({
    subject: SUBJECTS[kind],
    ids: list.map(({ id }) => id),
  }));
  const notes = await findNotes(context, subjects);
  return (kind: Kind, id: string) =>
    notes.filter(({ subject, subjectId }) => subject === SUBJECTS[kind] && subjectId === id);
}
