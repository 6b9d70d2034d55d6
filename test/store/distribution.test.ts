/**
 * The keys of the large tables, as a PostgreSQL of several nodes demands them: every unique constraint has the column by
 * which the table is divided. Partitions by hash demand the same, and so do foreign keys between them, so the tables are
 * created so, by PostgreSQL itself.
 */
import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { DISTRIBUTION, distributionOf } from './distribution.ts';

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly isExpression: boolean;
}

interface Reference {
  readonly table: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly targets: readonly string[];
}

let database: TestDatabase;
let tables: readonly string[];
let columns: ReadonlyMap<string, ReadonlySet<string>>;
let keys: readonly Key[];
let references: readonly Reference[];

async function read<Row>(query: ReturnType<typeof sql>): Promise<readonly Row[]> {
  return (await database.store.db.execute(query)).rows as readonly Row[];
}

beforeAll(async () => {
  database = await openTestDatabase();
  const found = await read<{ table: string; columns: string[] }>(sql`
    select c.relname as table, array_agg(a.attname::text) as columns from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`);
  tables = found.map(({ table }) => table);
  columns = new Map(found.map((row) => [row.table, new Set(row.columns)]));
  keys = await read<Key>(sql`
    select c.relname as table, i.relname as name, x.indexprs is not null as "isExpression",
           array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(x.indkey)) as columns
      from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
     where x.indisunique and c.relnamespace = 'public'::regnamespace order by 1, 2`);
  references = await read<Reference>(sql`
    select c.relname as table, t.relname as target,
           array(select a.attname::text from unnest(f.conkey) with ordinality k(n, o)
                 join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by k.o) as columns,
           array(select a.attname::text from unnest(f.confkey) with ordinality k(n, o)
                 join pg_attribute a on a.attrelid = t.oid and a.attnum = k.n order by k.o) as targets
      from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
     where f.contype = 'f' and c.relnamespace = 'public'::regnamespace order by 1, 2`);
});
afterAll(() => database?.close());

const ofKind = (kind: string) => tables.filter((table) => distributionOf(table) === kind);
/** The column by which a table can be divided today; null where it has to be added. */
const columnOf = (table: string) => {
  if (distributionOf(table) === 'oid') return table === 'sections' ? 'set_id' : 'oid';
  return columns.get(table)?.has('organization_id') ? 'organization_id' : null;
};

it('has a row for each table that it names, and no other', () => {
  expect(Object.keys(DISTRIBUTION).filter((table) => !tables.includes(table))).toEqual([]);
});

describe('tables by oid', () => {
  it('have it in each of their keys today', () => {
    for (const table of ofKind('oid')) {
      const own = keys.filter((key) => key.table === table);
      expect(own.length, table).toBeGreaterThan(0);
      for (const key of own) expect(key.columns, key.name).toContain(columnOf(table));
    }
  });
});

describe('tables by organization', () => {
  it('have no key whose values could meet those of another organization', () => {
    // A key stays unique when the organization is added to it only if one of its columns belongs to one organization:
    // an id that is made at random, or the id of a row of another such table.
    const belongs = ({ table, columns: own }: Key) =>
      own.some(
        (column) =>
          ['id', 'sequence', 'organization_id', 'set_id'].includes(column) ||
          references.some(
            (reference) =>
              reference.table === table &&
              reference.columns.includes(column) &&
              (distributionOf(reference.target) === 'organization' || reference.target === 'sites'),
          ) ||
          // Positions of notifications count for each user, whose memberships are on every node.
          (table === 'notifications' && column === 'event'),
      );
    const own = keys.filter(({ table }) => distributionOf(table) === 'organization');
    expect(own.length).toBeGreaterThan(30);
    expect(own.filter((key) => !belongs(key)).map(({ name }) => name)).toEqual([]);
  });

  it('refer to no table that is divided otherwise', () => {
    const crossing = references.filter(
      ({ table, target }) =>
        distributionOf(table) === 'organization' && ['oid', 'local'].includes(distributionOf(target)),
    );
    expect(crossing).toEqual([]);
  });
});

it('all of them can be created, divided, with keys and foreign keys that have the column', async () => {
  const { db } = database.store;
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const statements: string[] = ['create schema divided', 'set local search_path = divided, public'];
  const divided = [...ofKind('organization'), ...ofKind('oid')];
  for (const table of divided) {
    const column = columnOf(table);
    const added = column === null ? ', organization_id text not null' : '';
    const by = column ?? 'organization_id';
    statements.push(
      `create table divided."${table}" (like public."${table}" including defaults including generated${added}) partition by hash ("${by}")`,
      // Two partitions are enough for PostgreSQL to check what it checks for each.
      ...[0, 1].map(
        (part) =>
          `create table divided."${table}_${part}" partition of divided."${table}" for values with (modulus 2, remainder ${part})`,
      ),
    );
    for (const key of keys.filter((one) => one.table === table && !one.isExpression)) {
      statements.push(
        `create unique index on divided."${table}" (${list([...new Set([by, ...key.columns])])})`,
      );
    }
  }
  for (const { table, target, columns: from, targets } of references) {
    if (distributionOf(table) !== 'organization') continue;
    const isDivided = distributionOf(target) === 'organization';
    const both = (own: readonly string[]) =>
      list(isDivided ? [...new Set(['organization_id', ...own])] : own);
    statements.push(
      `alter table divided."${table}" add foreign key (${both(from)}) references ${isDivided ? 'divided' : 'public'}."${target}" (${both(targets)})`,
    );
  }
  const undone = new Error('undone');
  const created = db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    const { rows } = await tx.execute(
      sql`select count(*)::int as n from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
          where c.relnamespace = 'divided'::regnamespace`,
    );
    expect(rows).toEqual([{ n: divided.length }]);
    throw undone;
  });
  await expect(created).rejects.toBe(undone);
});

it('is held against PostgreSQL, which refuses a key without the column', async () => {
  const { db } = database.store;
  const create = db.transaction(async (tx) => {
    await tx.execute(sql`create schema divided`);
    await tx.execute(
      sql`create table divided.spaces (id text primary key, organization_id text not null) partition by hash (organization_id)`,
    );
  });
  await expect(create).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/unique constraint on partitioned table/) },
  });
});

it('docs/scale.md lists what each table is divided by, and what would have to be added', () => {
  const text = readFileSync('docs/scale.md', 'utf8');
  const rows = new Map(
    [...text.matchAll(/^\| (today|with a new column|by oid) \| (.*?) \|/gm)].map(([, kind, names]) => [
      kind,
      [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    ]),
  );
  const organization = ofKind('organization');
  expect(rows.get('today')).toEqual(organization.filter((table) => columnOf(table) !== null));
  expect(rows.get('with a new column')).toEqual(organization.filter((table) => columnOf(table) === null));
  expect(rows.get('by oid')).toEqual(ofKind('oid'));
});
