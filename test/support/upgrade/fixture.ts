import { readFileSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase } from '../database.ts';

/** Settings of the server that made the fixtures: the addresses in its answers begin with the first. */
export const PUBLIC_URL = 'https://docs.invalid';
export const FIXTURE_SECRET_KEY = 'of the upgrade fixtures, and of nothing else';

export const fixtureFolder = (release: string) => join('fixtures/upgrade', release);

/** What the API answered, by path below `/v1`. Moments are left out, since a restored database has others. */
export type Answers = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noExplicitAny: answers of any release.
type Get = (method: 'GET', path: string) => Promise<any>;

/** Reads what a person would miss after an update: spaces, pages with their text, files, links, history, and more. */
export async function listAnswers(call: Get): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  // biome-ignore lint/suspicious/noExplicitAny: answers of any release.
  const get = async (path: string): Promise<any> => {
    const answer = await call('GET', path);
    answers[path] = withoutMoments(asReleased(answer));
    return answer;
  };
  const { items: organizations } = await get('/orgs');
  const organization = `/orgs/${organizations[0].id}`;
  await get(`${organization}/collections`);
  await get(`${organization}/members`);
  await get(`${organization}/translations`);
  await get(`${organization}/openapi`);
  await get(`${organization}/openapi/lantern`);
  await get(`${organization}/search?query=lantern`);
  const { items: spaces } = await get(`${organization}/spaces`);
  for (const { id, gitSync } of spaces) {
    const space = `/spaces/${id}`;
    await get(`${space}/content`);
    await get(`${space}/links`);
    // 0.1.0 answered with an empty object where there is no repository.
    if (gitSync) await get(`${space}/git/info`);
    else answers[`${space}/git/info`] = {};
    await get(`${space}/git/operations`);
    await get(`${space}/search?query=lantern`);
    for (const change of (await get(`${space}/change-requests`)).items) {
      await get(`${space}/change-requests/${change.id}/content/pages`);
    }
    for (const file of (await get(`${space}/content/files`)).items) {
      await get(`${space}/content/files/${file.id}/backlinks`);
    }
    const { pages } = await get(`${space}/content/pages`);
    for (const page of flatten(pages)) {
      await get(`${space}/content/page/${page.id}?format=markdown`);
      await get(`${space}/content/page/${page.id}/backlinks`);
    }
  }
  return answers;
}

interface Page {
  readonly id: string;
  readonly type: string;
  readonly pages?: readonly Page[];
}

function flatten(pages: readonly Page[]): readonly Page[] {
  return pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...flatten(page.pages ?? [])]);
}

/** An answer with references that name by ids what they embed since 0.2.0. */
function asReleased(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(asReleased);
  if (typeof answer !== 'object' || answer === null) return answer;
  const isReference =
    'kind' in answer || ('type' in answer && ('revision' in answer || 'changeRequest' in answer));
  const fields = Object.entries(answer).map(([name, value]) => {
    const isEmbedded = isReference && typeof value === 'object' && value !== null && 'id' in value;
    // A file that is not listed had no name; now its space is named.
    if (name === 'kind' && value === 'space') return [name, 'file'];
    return [name, isEmbedded ? value.id : asReleased(value)];
  });
  return Object.fromEntries(fields);
}

function withoutMoments(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (_, value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? '(moment)' : value,
    ),
  );
}

export interface RestoredFixture {
  readonly url: string;
  readonly answers: Answers;
  drop(): Promise<void>;
}

/**
 * Restores the database of a release, and its blobs into `dataDir`, as if they had been made just now: what is removed
 * when it is old stays.
 */
export async function restoreFixture(release: string, dataDir: string): Promise<RestoredFixture> {
  const folder = fixtureFolder(release);
  const { url, drop } = await createDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(await readFile(join(folder, 'database.sql'), 'utf8'));
  await client.query('set search_path to public');
  await client.query(MAKE_RECENT);
  await client.end();
  await cp(join(folder, 'blobs'), join(dataDir, 'blobs'), { recursive: true });
  return { url, answers: JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')), drop };
}

/** Moves every moment of the database by the time since its newest job was enqueued, the last thing that was made. */
const MAKE_RECENT = `do $$
declare
  age interval := (select now() - max(created_on) from pgboss.job);
  target record;
begin
  for target in
    select format('%I.%I', c.table_schema, c.table_name) as name,
      string_agg(format('%I = %I + $1', c.column_name, c.column_name), ', ') as moves
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('public', 'pgboss') and c.data_type = 'timestamp with time zone'
      and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and not exists (select from pg_inherits where inhparent = format('%I.%I', c.table_schema, c.table_name)::regclass)
    group by 1
  loop
    execute format('update %s set %s', target.name, target.moves) using age;
  end loop;
end $$`;
