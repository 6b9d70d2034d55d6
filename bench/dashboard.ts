/**
 * Measures the dashboard with a real server and its embedded PostgreSQL, on an organization with 10,000 spaces in 100
 * collections, 10,000 change requests, 100,000 comments, 5,000 members and 100,000 events of the audit log: every kind of
 * page as an administrator opens it, and as a guest who was granted one collection does. Prints also what a first visit to
 * each page loads, compressed.
 */
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { openStore, type Store } from '../src/store/index.ts';
import { createMember } from '../test/platform/create-member.ts';
import { createGitRepo } from '../test/support/git-repo.ts';
import { medianOf, type PlatformServer, startPlatformServer, timed } from './platform-server.ts';

const SPACES = Number(process.env['BENCH_SPACES'] ?? 10_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40);
const WARM_UP = 5;

/** What a page may load at the most, in bytes, compressed; the editor apart. */
const PAGE_BYTES = 60 * 1024;
const EDITOR_BYTES = 200 * 1024;

export async function run(): Promise<void> {
  const server = await startPlatformServer();
  try {
    const repo = await createGitRepo(join(server.repositories, 'r.git'));
    const text = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} says something.`).join('\n\n');
    await repo.commit({ 'docs/README.md': `# Home\n\n${text}\n`, 'docs/guide.md': `# Guide\n\n${text}\n` });
    const spaceId = await server.createSpace('Handbook');
    await server.importBranch(spaceId, `${server.gitUrl}/r.git`, 'docs');
    const store = await openStore({ dataDir: join(server.folder, 'data'), poolSize: 2 });
    const guest = await fill(store, spaceId).finally(() => store.close());
    await measure(server, spaceId, guest);
  } finally {
    await server.close();
  }
}

interface Filled {
  readonly organizationId: string;
  readonly guestToken: string;
}

/** Inserts by the tables, since through the API it would take hours. */
async function fill({ db }: Store, spaceId: string): Promise<Filled> {
  const { rows } = await db.execute<{ organization: string; admin: string }>(sql`
    select s.organization_id as organization, m.user_id as admin from spaces s
    join members m on m.organization_id = s.organization_id and m.role = 'admin' where s.id = ${spaceId} limit 1`);
  const { organization: organizationId = '', admin = '' } = rows[0] ?? {};
  await db.execute(sql`
    insert into collections (id, organization_id, title, position)
    select 'c' || n, ${organizationId}, 'Collection ' || n, n from generate_series(1, 100) n`);
  await db.execute(sql`
    insert into spaces (id, organization_id, parent_id, title, position, revision_id, synced_revision_id, git_sync)
    select 's' || n, organization_id, 'c' || 1 + n % 100, 'Space number ' || n, n + 1, revision_id, revision_id,
      jsonb_build_object('repoName', 'octo/repository-' || n % 500, 'url', 'https://forge.example/octo/repository-' || n % 500,
        'installationProvider', 'github', 'updatedAt', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from spaces, generate_series(1, ${SPACES}::int) n where id = ${spaceId}`);
  await db.execute(sql`
    insert into git_operations (id, space_id, direction, state, request, timestamp, ref, commit_oid, revision_id,
      created_at, ended_at)
    select 'g' || n, 's' || n, direction, state, request, timestamp, ref, commit_oid, revision_id, created_at, ended_at
    from git_operations, generate_series(1, ${SPACES}::int) n where space_id = ${spaceId} and state = 'success'`);
  await db.execute(sql`
    insert into change_requests (id, space_id, number, subject, status, created_by, base_revision_id, revision_id, updated_at)
    select 'r' || n, case when n % 2 = 0 then s.id else 's' || 1 + n % ${SPACES}::int end, n + 10, 'Change number ' || n,
      (array['open', 'draft', 'merged', 'archived'])[1 + n % 4], ${admin}, s.revision_id, s.revision_id,
      now() - n * interval '1 minute'
    from spaces s, generate_series(1, 10000) n where s.id = ${spaceId}`);
  await db.execute(sql`
    insert into requested_reviewers (id, change_request_id, user_id, requested_by, revision_id)
    select 'q' || n, 'r' || n * 20, ${admin}, ${admin}, r.revision_id
    from generate_series(1, 500) n join change_requests r on r.id = 'r' || n * 20`);
  await db.execute(sql`
    insert into users (id, display_name, email)
    select 'u' || n, 'Person ' || n, 'person' || n || '@example.com' from generate_series(1, 5000) n`);
  await db.execute(sql`
    insert into members (organization_id, user_id, role, joined_at)
    select ${organizationId}, 'u' || n, (array['read', 'comment', 'edit', 'review', null])[1 + n % 5],
      now() - n * interval '1 minute' from generate_series(1, 5000) n`);
  await db.execute(sql`
    insert into teams (id, organization_id, title)
    select 't' || n, ${organizationId}, 'Team ' || n from generate_series(1, 200) n`);
  const document = JSON.stringify({ object: 'document', data: { schemaVersion: 2 }, nodes: [] });
  await db.execute(sql`
    insert into comments (id, space_id, in_space, scope, page_id, node, quote, revision_id, author_id, markdown, document,
      created_at)
    select 'k' || n, ${spaceId}, true, '', 'p' || n % 1000, '3', 'Paragraph 1 says something.', s.revision_id, ${admin},
      'Comment ' || n, ${document}::jsonb, now() - n * interval '1 minute'
    from generate_series(1, 100000) n, spaces s where s.id = ${spaceId}`);
  await db.execute(sql`
    insert into audit_events (at, organization_id, action, outcome, actor_kind, actor_id, actor_name, target_kind, target_id,
      target_name)
    select now() - (100000 - n) * interval '1 minute', ${organizationId}, 'space.update', 'success', 'user', 'u' || 1 + n % 5000,
      'Person ' || n % 5000, 'space', 's' || 1 + n % ${SPACES}::int, 'Space number ' || n
    from generate_series(1, 100000) n`);
  const host = { deps: { db } as never, organizationId };
  const guest = await createMember(host, 'Gustav Guest', { role: null });
  await db.execute(sql`
    insert into grants (id, organization_id, user_id, collection_id, role)
    values ('grant', ${organizationId}, ${guest.userId}, 'c1', 'edit')`);
  // As autovacuum leaves tables some minutes later.
  await db.execute(sql`vacuum analyze`);
  return { organizationId, guestToken: guest.token };
}

async function measure(server: PlatformServer, spaceId: string, filled: Filled): Promise<void> {
  const { organizationId, guestToken } = filled;
  const org = (part: string) => `/orgs/${organizationId}${part}`;
  const find = (q: string) => `/search?organization=${organizationId}&palette=1&q=${encodeURIComponent(q)}`;
  const pageId = await server.firstPage(spaceId);
  const space = (part: string) => `/spaces/${spaceId}${part}`;
  /** Whether a guest of another collection opens it, too. */
  const paths: readonly (readonly [name: string, path: string, isForGuests?: true])[] = [
    ['home', '/', true],
    ['organization', org(''), true],
    ['spaces', org('/spaces'), true],
    ['spaces, filtered', org('/spaces?find=number+77'), true],
    ['a collection', '/collections/c1', true],
    ['a space', space('')],
    ['a space’s content', space('/content')],
    ['a page', space(`/pages/${pageId}`)],
    ['change requests', space('/change-requests')],
    ['comments', space('/comments')],
    ['links', space('/links')],
    ['syncs', space('/syncs')],
    ['who has access', space('/access')],
    ['space settings', space('/settings')],
    ['move a space', space('/move')],
    ['members', org('/members')],
    ['members, filtered', org('/members?search=person+77')],
    ['a member', org('/members/u77')],
    ['teams', org('/teams')],
    ['invitations', org('/invites')],
    ['sites', org('/sites'), true],
    ['new site', org('/sites/new')],
    ['specifications', org('/specs'), true],
    ['conversations', org('/conversations')],
    ['audit log', org('/audit')],
    ['settings', org('/settings')],
    ['account', '/account', true],
    ['status', '/status'],
    ['palette, empty', find(''), true],
    ['palette, “number 77”', find('number 77'), true],
    ['palette, “person 4”', find('person 4')],
    ['palette, “something”', find('something'), true],
    ['search page', `/search?organization=${organizationId}&q=number`, true],
    ['editor', space('/edit?path=docs/README.md')],
  ];
  const admin = (path: string) => server.get(path);
  const guestCookie = await signIn(server.url, guestToken);
  const guest = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { cookie: guestCookie }, redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}.`);
  };
  console.log('page | reader | median ms | 95th percentile ms | bytes of a first visit | requests');
  for (const [name, path, isForGuests] of paths) {
    const { bytes, requests } = await weigh(server, path);
    const limit = name === 'editor' ? EDITOR_BYTES : PAGE_BYTES;
    console.log(
      `${name} | administrator | ${await time(() => admin(path))} | ${bytes}${bytes > limit ? ' TOO MANY' : ''} | ${requests}`,
    );
    if (isForGuests) console.log(`${name} | guest | ${await time(() => guest(path))} | |`);
  }
}

async function time(read: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) times.push(await timed(read));
  const sorted = times.slice(WARM_UP).toSorted((a, b) => a - b);
  const slow = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return `${medianOf(sorted).toFixed(1)} | ${slow.toFixed(1)}`;
}

async function signIn(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The bytes of a page and of all that it names of this server, as they are sent. */
async function weigh(server: PlatformServer, path: string): Promise<{ bytes: number; requests: number }> {
  const page = await load(server, path);
  const named = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, href]) => href ?? '');
  const assets = [...new Set(named)];
  let { bytes } = page;
  for (const href of assets) bytes += (await load(server, href)).bytes;
  return { bytes, requests: 1 + assets.length };
}

function load(server: PlatformServer, path: string): Promise<{ bytes: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: server.cookie, 'accept-encoding': 'br, gzip' };
    request(server.url + path, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ bytes: body.length, text: decode(body, answer.headers['content-encoding']) });
      });
    })
      .on('error', reject)
      .end();
  });
}

function decode(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}
