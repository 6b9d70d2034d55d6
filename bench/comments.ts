/**
 * Measures comments with a real server and its embedded PostgreSQL: 100,000 of them in one space, on 1,000 pages, with
 * replies and reactions. Lists, filters, counts and the page with its threads are asked for as a dashboard asks. The floor
 * is the same of a space with 100 comments.
 */
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { operations, type PlatformClient } from '../src/client/index.ts';
import { openStore } from '../src/store/index.ts';
import { createGitRepo } from '../test/support/git-repo.ts';
import { medianOf, type PlatformServer, startPlatformServer, timed } from './platform-server.ts';

const COMMENTS = Number(process.env['BENCH_COMMENTS'] ?? 100_000);
const FEW = 100;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 60);

export async function run(): Promise<void> {
  const server = await startPlatformServer();
  try {
    const repo = await createGitRepo(join(server.repositories, 'r.git'));
    const text = Array.from({ length: 20 }, (_, at) => `Paragraph ${at} says something.`).join('\n\n');
    await repo.commit({ 'docs/README.md': `# Home\n\n${text}\n` });
    console.log('read | comments | median ms | 95th percentile ms');
    for (const count of [FEW, COMMENTS]) {
      const spaceId = await server.createSpace(`${count} comments`);
      await server.importBranch(spaceId, `${server.gitUrl}/r.git`, 'docs');
      await fill(server, spaceId, count);
      await measure(server, spaceId, count);
    }
  } finally {
    await server.close();
  }
}

/** Inserts comments by the table, since the API takes no more from one person than people write. */
async function fill(server: PlatformServer, spaceId: string, count: number): Promise<void> {
  const store = await openStore({ dataDir: join(server.folder, 'data'), poolSize: 1 });
  try {
    const pageId = await server.firstPage(spaceId);
    const document = JSON.stringify({ object: 'document', data: { schemaVersion: 2 }, nodes: [] });
    await store.db.execute(sql`
      insert into comments (id, space_id, in_space, scope, page_id, node, quote, revision_id, author_id, markdown, document,
        created_at, resolved_at)
      select ${`${count}-`} || n, ${spaceId}, true, '', case when n % 1000 = 0 then ${pageId} else 'p' || n % 1000 end,
        '3', 'Paragraph 1 says something.', s.revision_id, u.id, 'Comment ' || n, ${document}::jsonb,
        now() - n * interval '1 minute', case when n % 3 = 0 then now() end
      from generate_series(1, ${count}::int) n, spaces s, (select id from users limit 1) u where s.id = ${spaceId}`);
    await store.db.execute(sql`
      insert into comment_replies (id, comment_id, author_id, markdown, document, created_at)
      select c.id || 'r' || n, c.id, c.author_id, 'Reply', ${document}::jsonb, c.created_at + n * interval '1 second'
      from comments c, generate_series(1, 3) n where c.space_id = ${spaceId}`);
    await store.db.execute(sql`
      insert into comment_reactions (id, comment_id, user_id, emoji)
      select id || 'e', id, author_id, '👍' from comments where space_id = ${spaceId}`);
    await store.db.execute(sql`analyze comments, comment_replies, comment_reactions`);
  } finally {
    await store.close();
  }
}

async function measure(server: PlatformServer, spaceId: string, count: number): Promise<void> {
  const pageId = await server.firstPage(spaceId);
  const list = (query: Parameters<typeof listOf>[2]) => () => listOf(server.client, spaceId, query);
  const last = (await listOf(server.client, spaceId, { limit: FEW / 2 })).next?.page ?? '';
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    'the newest 50': list({}),
    'the next 50': list({ page: last, limit: FEW / 2 }),
    'the oldest 50': list({ order: 'asc' }),
    'the open ones': list({ status: 'open' }),
    'the resolved ones': list({ status: 'resolved' }),
    'those of a page': list({ targetPage: pageId }),
    'those of nobody': list({ authors: ['nobody'] }),
    'who commented': () => server.client.call(operations.listSpaceCommenters, { params: { spaceId } }),
    'the space': () => server.client.call(operations.getSpace, { params: { spaceId } }),
    'the page for people': () => server.get(`/spaces/${spaceId}/pages/${pageId}`),
    'all comments for people': () => server.get(`/spaces/${spaceId}/comments`),
  };
  for (const [name, read] of Object.entries(reads)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(read));
    const sorted = times.slice(5).toSorted((a, b) => a - b);
    const slow = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    console.log(`${name} | ${count} | ${medianOf(sorted).toFixed(1)} | ${slow.toFixed(1)}`);
  }
}

async function listOf(
  client: PlatformClient,
  spaceId: string,
  query: {
    readonly limit?: number;
    readonly page?: string;
    readonly order?: 'asc' | 'desc';
    readonly status?: 'open' | 'resolved';
    readonly targetPage?: string;
    readonly authors?: string[];
  },
) {
  return await client.call(operations.listSpaceComments, { params: { spaceId }, query });
}
