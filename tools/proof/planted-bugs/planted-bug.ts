// A planted bug: one deliberate defect of the merchant, and the test that must detect it.

/** The safeguards that bugs remove, quoted from the page that promises them. */
export const GUARDS = {
  neverBelieved: 'A notification is never believed.',
  nothingLost: 'Nothing is lost.',
  nothingTwice: 'Nothing is done twice.',
  notOutOfDate: 'A fetch that is out of date is not written.',
  shopIsTold: 'Your shop is told.',
  personCanDecide: 'Anything the program cannot resolve goes to a person.',
  cardDataNotKept: 'Card data is not kept.',
  onlyFetchedCounts: 'Only what was fetched with our own token is compared and stored.',
  sourceBeforeBody: 'The source address is checked before the body is read.',
  rowBeforeCall: 'A row is written before a call that moves money or issues a key.',
  oneWayIn: '`syncPayment` is the one way into `payments`, and no lock is held during a call.',
  noSecrets: 'Card data, tokens and secrets are in no log, row, page, error or dump',
  safeDefaults: 'With `NODE_ENV=production`, nothing has a default that could be unsafe.',
  limits: 'Limits, time-outs, lint rules and expectations of tests.',
  ownMember: 'one member who acts for another',
} as const;

/** The pages with these quotes. */
export const PAGES = ['README.md', 'src/EXTENDING.md', '.github/SECURITY.md'];

export type PlantedBug = {
  /** Lower-case words with hyphens: the behaviour of the broken program. */
  name: string;
  guard: keyof typeof GUARDS;
  /** Below `src/merchant`. */
  file: string;
  /** Must occur in the file exactly once. */
  find: string;
  replace: string;
  /** The test file that must fail, below `test`. */
  test: string;
  /** The beginning, or a part, of the title of the test in it. */
  title: string;
};
