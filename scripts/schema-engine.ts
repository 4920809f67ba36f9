// Prisma's schema engine as WebAssembly from npm, because the native engine would have to be downloaded. It compares a
// database with prisma/schema and prisma/migrations, for developers and tests only.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type {
  DiagnoseMigrationHistoryOutput,
  MigrationList,
  SchemaEngine,
} from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool, type QueryResult } from 'pg';

const PRISMA_FOLDER = join(__dirname, '..', 'prisma');
const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, 'migrations');
const SCHEMA_FOLDER = join(PRISMA_FOLDER, 'schema');
const SCHEMA = readdirSync(SCHEMA_FOLDER)
  .sort()
  .map((path) => ({ path, content: readFileSync(join(SCHEMA_FOLDER, path), 'utf8') }));
const NO_FILTERS = { externalTables: [], externalEnums: [] };

export type PrismaView = {
  /** Resolves with the SQL that changes this database to the schema, or with null if they are equal. */
  missingSql: (databaseUrl: string) => Promise<string | null>;
  /** Resolves with what `prisma migrate status` reports about the ledger of this database. */
  diagnoseLedger: (databaseUrl: string) => Promise<DiagnoseMigrationHistoryOutput>;
};

/** Call it once per process: the package keeps its one instance in its module. */
export async function loadPrismaView(): Promise<PrismaView> {
  const { SchemaEngine } = await loadEngine();
  const withEngine = async <T>(
    databaseUrl: string,
    work: (engine: SchemaEngine) => Promise<T>,
  ): Promise<T> => {
    const pool = new Pool({ connectionString: databaseUrl });
    const options = { datamodels: SCHEMA.map(({ path, content }): [string, string] => [path, content]) };
    const adapter = bindMigrationAwareSqlAdapterFactory(readableFactory(pool));
    try {
      return await work(await SchemaEngine.new(options, () => undefined, adapter));
    } finally {
      await pool.end();
    }
  };
  return {
    missingSql: (databaseUrl) => withEngine(databaseUrl, diffToSchema),
    diagnoseLedger: (databaseUrl) =>
      withEngine(databaseUrl, (engine) =>
        engine.diagnoseMigrationHistory({
          migrationsList: migrationsList(),
          optInToShadowDatabase: false,
          filters: NO_FILTERS,
        }),
      ),
  };
}

async function diffToSchema(engine: SchemaEngine): Promise<string | null> {
  const { exitCode, stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files: SCHEMA, configDir: PRISMA_FOLDER },
    to: { tag: 'schemaDatamodel', files: SCHEMA },
    script: true,
    exitCode: true,
    filters: NO_FILTERS,
  });
  return exitCode === 0 ? null : stdout;
}

function migrationsList(): MigrationList {
  const read = (...path: string[]) => readFileSync(join(MIGRATIONS_FOLDER, ...path), 'utf8');
  const lockfile = 'migration_lock.toml';
  const entries = readdirSync(MIGRATIONS_FOLDER, { withFileTypes: true });
  return {
    baseDir: MIGRATIONS_FOLDER,
    lockfile: { path: lockfile, content: read(lockfile) },
    shadowDbInitScript: '',
    migrationDirectories: entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: read(name, 'migration.sql') },
        },
      })),
  };
}

/** The package expects a bundler that imports .wasm files; this function does that work. */
async function loadEngine() {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  // Without this function, a panic of the engine does not report its cause.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: console.error } });
  return glue;
}

/**
 * Introspection reads catalog columns of type "char", which the adapter refuses. They are presented to the adapter as text, and
 * marked as characters again in its result (recognised by its array of rows).
 */
function readableFactory(pool: Pool): PrismaPg {
  const charColumns = new WeakMap<object, number[]>();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<QueryResult>;
  const queryAsText = async (...args: unknown[]) => {
    const result = await query(...args);
    const found = result.fields.flatMap(({ dataTypeID }, index) => (dataTypeID === OID_CHAR ? [index] : []));
    for (const index of found) Object.assign(result.fields[index] ?? {}, { dataTypeID: OID_TEXT });
    charColumns.set(result.rows, found);
    return result;
  };
  const factory = new PrismaPg(Object.assign(pool, { query: queryAsText }));
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sql) => {
      const result = await queryRaw(sql);
      for (const index of charColumns.get(result.rows) ?? [])
        result.columnTypes[index] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  };
  return factory;
}
const OID_CHAR = 18;
const OID_TEXT = 25;

// Not declared by the types of Node 20.
declare const WebAssembly: {
  instantiate(
    code: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};
