// Runs administrative SQL, such as the creation of a database. Used by `npm start`, the tests and the benchmarks.

import { Client } from 'pg';

/** Runs one statement on a new connection. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** `name` must be a plain SQL identifier, because it is not quoted. */
export async function createDatabaseIfMissing(adminUrl: string, name: string): Promise<void> {
  try {
    await administer(adminUrl, `create database ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error;
  }
}
const DUPLICATE_DATABASE = '42P04';
