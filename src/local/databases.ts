// Makes and removes whole databases; each statement on a short connection of its own.
import { Client } from 'pg';

export async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** `name` has to be a plain identifier. */
export async function createDatabaseIfMissing(adminUrl: string, name: string): Promise<void> {
  try {
    await administer(adminUrl, `create database ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error;
  }
}
const DUPLICATE_DATABASE = '42P04';
