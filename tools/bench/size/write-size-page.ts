// Writes docs/project/performance/size.md.

import { toMarkdownTable, whereMeasured, writePage } from '../write-page';
import type { BookSizes } from './old-books';

/** A figure with all the data, and the same with none (or, for retention, while nothing is deleted). */
export type Compared = [what: string, full: number, empty: number];

export type Retention = { deleted: number; seconds: number; compared: Compared[] };

type Measured = BookSizes & { notification: Compared[]; retention: Retention };

export function writeSizePage(measured: Measured): void {
  const { payments, orders, notification, retention } = measured;
  const million = (rows: number) => rows.toLocaleString('en');
  const toTable = (header: string[], compared: readonly Compared[]) =>
    toMarkdownTable([
      header,
      ...compared.map(([what, full, empty]) => [
        what,
        full.toFixed(2),
        empty.toFixed(2),
        (full / empty).toFixed(2),
      ]),
    ]);
  writePage(
    'size.md',
    `# With data of several years

Written by \`npm run bench -- size ${payments} ${orders}\` ${whereMeasured()}: a database with ${million(payments)} payments, each with its
notification, and one with almost none, in turn on one PostgreSQL.

${toTable(['One notification', 'full', 'empty', 'ratio (goal: at most 1.3)'], notification)}

Retention deleted ${million(retention.deleted)} notifications, and the rows that belong to them, in ${retention.seconds.toFixed(0)} s while others arrived over 16
connections:

${toTable(['', 'meanwhile', 'before', 'ratio'], retention.compared)}
`,
  );
}
