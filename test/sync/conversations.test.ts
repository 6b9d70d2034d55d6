/** Issues and discussions that a repository's configuration wants are conversations of its organization, as they are now. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp } from '../../src/net/http.ts';
import { createStatusPages } from '../../src/server/status/status-pages.ts';
import { tables } from '../../src/store/index.ts';
import { conversationSyncJob, createScheduler, watchQuestions } from '../../src/sync/index.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle } from '../github/app-bench.ts';
import { openBenchPlatform } from '../github/bench-platform.ts';
import { testAtLength } from '../support/describe-at-length.ts';

let bench: AppBench;
let organizationId: string;

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform, {
    questionChanged: ({ store, queue }) => watchQuestions({ db: store.db, queue }),
  });
  organizationId = await bench.organizationId();
  await scheduler().startJobs();
});

afterAll(() => bench?.close());

function scheduler() {
  const { store, queue, client, access, url, log } = bench;
  return createScheduler({
    db: store.db,
    queue,
    client,
    access,
    http: createHttp({ userAgent: 'docloom-test', guard: createAddressGuard() }),
    now: () => new Date(),
    publicUrl: url,
    log,
  });
}

// Clusters are made a while later.
const idle = () => untilIdle(bench, { except: 'conversations.cluster' });
const sourceOf = ({ fullName }: Pick<BenchRepository, 'fullName'>) => `integration:github:${fullName}`;

/** Has all repositories compared that are due. */
async function poll() {
  await scheduler().poll(AbortSignal.timeout(60_000));
  await idle();
}

/** Lets the last comparison be two hours ago. */
async function makeDue(repository: BenchRepository) {
  await bench.store.db
    .update(tables.repositoryConversations)
    .set({ listedAt: new Date(Date.now() - 2 * 60 * 60_000) })
    .where(eq(tables.repositoryConversations.repositoryId, repository.id));
}

async function sample(name: string, conversations: string, isPrivate = true): Promise<BenchRepository> {
  const repository = await bench.createRepository(name, { private: isPrivate });
  await repository.local.commit({
    'README.md': '# Sample\n',
    '.github/docloom.yml': `conversations:\n${conversations}`,
  });
  await repository.push();
  const installation = repository.install();
  await bench.queue.setRateLimit(`github:installation/${installation}/conversations`, { concurrency: 4 });
  await idle();
  return repository;
}

async function configure(repository: BenchRepository, text: string) {
  await repository.local.commit({ '.github/docloom.yml': text });
  await repository.push();
  await idle();
}

const openIssue = async (repository: BenchRepository, title: string, labels: readonly string[] = []) =>
  (await repository.api<{ number: number }>('POST', '/issues', { title, body: `${title} indeed.`, labels }))
    .number;

/** The ids that its source sent, and the subject, of all conversations of a repository. */
async function stored(repository: Pick<BenchRepository, 'fullName'>): Promise<readonly string[]> {
  const { items } = await bench.client.call(operations.listConversations, {
    params: { organizationId },
    query: { source: sourceOf(repository), limit: 1000 },
  });
  return items.map(({ sourceId, subject }) => `${sourceId} ${subject}`).toSorted();
}

async function content(repository: BenchRepository, id: string) {
  const params = { organizationId };
  const { items } = await bench.client.call(operations.listConversations, {
    params,
    query: { source: sourceOf(repository), limit: 1000 },
  });
  const conversationId = items.find(({ sourceId }) => sourceId === id)?.id ?? 'none';
  return await bench.client.call(operations.getConversation, { params: { ...params, conversationId } });
}

async function statusOf(repository: BenchRepository): Promise<string | null | undefined> {
  const { store, queue } = bench;
  const status = createStatusPages({
    ...{ db: store.db, pool: store.pool, queue, organizationId: bench.organizationId },
    ...{ maxWords: null, retainDisconnectedDays: null, app: () => null },
  });
  return (await status.find(repository.id))?.conversationsError;
}

test('issues that have a label become conversations, redacted, with who said what', async () => {
  const repository = await sample('asked', '  issues: { labels: [question, help] }\n');
  const wanted = await openIssue(repository, 'How do I log in?', ['Question', 'other']);
  await openIssue(repository, 'It crashes', ['bug']);
  bench.forge.createUser('reader');
  await repository.api('POST', `/issues/${wanted}/comments`, { body: 'Write to ada@example.com.' });
  // Nobody was told: the first list finds what was there before.
  await poll();
  expect(await stored(repository)).toEqual([`issues/${wanted} How do I log in?`]);
  expect(await content(repository, `issues/${wanted}`)).toMatchObject({
    conversation: { urls: { source: expect.stringMatching(new RegExp(`/asked/issues/${wanted}$`)) } },
    metadata: { attributes: { labels: 'Question, other' } },
    parts: [
      { role: 'user', body: 'How do I log in? indeed.' },
      { role: 'team-member', body: 'Write to [email].' },
    ],
  });
  expect(await statusOf(repository)).toBe(null);
});

testAtLength(
  'events bring, change and remove conversations, and a delivery that comes twice changes nothing',
  async () => {
    const repository = await sample('heard', '  issues: { labels: [question] }\n');
    await poll();
    const number = await openIssue(repository, 'Where is the key?', ['question']);
    await idle();
    expect(await stored(repository)).toEqual([`issues/${number} Where is the key?`]);
    const other = await openIssue(repository, 'How long is it?');
    await idle();
    expect(await stored(repository)).toHaveLength(1);
    await repository.api('POST', `/issues/${other}/labels`, { labels: ['question'] });
    await idle();
    expect(await stored(repository)).toHaveLength(2);

    await repository.api('PATCH', `/issues/${number}`, { title: 'Where is the lock?' });
    const comment = await repository.api<{ id: number }>('POST', `/issues/${number}/comments`, { body: 'A' });
    await idle();
    expect(await stored(repository)).toContain(`issues/${number} Where is the lock?`);
    expect((await content(repository, `issues/${number}`)).parts).toHaveLength(2);
    await repository.api('PATCH', `/issues/comments/${comment.id}`, { body: 'B' });
    await idle();
    expect((await content(repository, `issues/${number}`)).parts[1]).toMatchObject({ body: 'B' });
    const revision = async () => {
      const rows = await bench.store.db
        .select({ revision: tables.conversations.revision })
        .from(tables.conversations)
        .where(eq(tables.conversations.sourceId, `issues/${number}`));
      return rows.map((row) => row.revision);
    };
    const before = await revision();
    for (const { guid, event } of bench.forge.deliveries.filter(
      ({ repositoryId }) => repositoryId === repository.id,
    ))
      if (event.startsWith('issue')) bench.forge.redeliver(guid);
    await idle();
    expect(await revision()).toEqual(before);
    await repository.api('DELETE', `/issues/comments/${comment.id}`);
    await idle();
    expect((await content(repository, `issues/${number}`)).parts).toHaveLength(1);

    await repository.api('DELETE', `/issues/${other}/labels/question`);
    await idle();
    expect(await stored(repository)).toEqual([`issues/${number} Where is the lock?`]);
    bench.forge.deleteIssue(repository.fullName, number);
    await idle();
    expect(await stored(repository)).toEqual([]);
  },
);

testAtLength('a transferred issue is a conversation of its new repository, where that wants it', async () => {
  const from = await sample('moved-from', '  issues: { labels: [question] }\n');
  const to = await sample('moved-to', '  issues: { labels: [question] }\n');
  await poll();
  await openIssue(to, 'Another');
  const number = await openIssue(from, 'Is it here?', ['question']);
  await idle();
  const moved = bench.forge.transferIssue(from.fullName, number, to.fullName);
  await idle();
  expect(await stored(from)).toEqual([]);
  expect(await stored(to)).toEqual([`issues/${moved} Is it here?`]);
});

testAtLength(
  'what nobody was told of is found within an hour; a changed configuration within a minute',
  async () => {
    const repository = await sample('missed', '  issues: { labels: [question] }\n');
    await poll();
    const isIssue = ({ event }: { readonly event: string }) => event.startsWith('issue');
    bench.forge.faults.set({ on: 'webhook', kind: 'drop', match: isIssue });
    const first = await openIssue(repository, 'First?', ['question']);
    const second = await openIssue(repository, 'Second?', ['question']);
    const docs = await openIssue(repository, 'Docs?', ['docs']);
    await idle();
    expect(await stored(repository)).toEqual([]);
    await poll();
    expect(await stored(repository)).toEqual([]);
    await makeDue(repository);
    await poll();
    expect(await stored(repository)).toEqual([`issues/${first} First?`, `issues/${second} Second?`]);
    bench.forge.deleteIssue(repository.fullName, first);
    await makeDue(repository);
    await poll();
    expect(await stored(repository)).toEqual([`issues/${second} Second?`]);
    bench.forge.faults.clear();

    await configure(repository, 'conversations:\n  issues: { labels: [docs] }\n');
    await poll();
    expect(await stored(repository)).toEqual([`issues/${docs} Docs?`]);
    bench.forge.editRepository(repository.fullName, { name: 'found' });
    await idle();
    await poll();
    expect(await stored(repository)).toEqual([]);
    expect(await stored({ fullName: 'acme/found' })).toEqual([`issues/${docs} Docs?`]);
    bench.forge.editRepository('acme/found', { name: 'missed' });
    await idle();
    await configure(repository, 'timezone: UTC\n');
    await poll();
    expect(await stored({ fullName: 'acme/found' })).toEqual([]);
    expect(await stored(repository)).toEqual([]);
    expect(
      await bench.store.db.$count(
        tables.repositoryConversations,
        eq(tables.repositoryConversations.repositoryId, repository.id),
      ),
    ).toBe(0);
  },
);

testAtLength('what was deleted by its age does not come back before it changes', async () => {
  const repository = await sample('aged', '  issues: { labels: [question] }\n');
  const number = await openIssue(repository, 'Old?', ['question']);
  await poll();
  expect(await stored(repository)).toHaveLength(1);
  await bench.store.db
    .delete(tables.conversations)
    .where(eq(tables.conversations.source, sourceOf(repository)));
  await bench.store.db
    .update(tables.repositoryConversations)
    .set({ listedAt: new Date(Date.now() + 60 * 60_000) })
    .where(eq(tables.repositoryConversations.repositoryId, repository.id));
  await bench.queue.enqueue(bench.store.db, conversationSyncJob, {
    repositoryId: repository.id,
    installationId: 0,
  });
  await idle();
  expect(await stored(repository)).toEqual([]);
  await repository.api('PATCH', `/issues/${number}`, { title: 'Older?' });
  await idle();
  expect(await stored(repository)).toEqual([`issues/${number} Older?`]);
});

testAtLength(
  'conversations go to the organization of the space, and leave the one that it was of',
  async () => {
    const { client, store } = bench;
    const repository = await sample('lent', '  issues: { labels: [question] }\n');
    const number = await openIssue(repository, 'Whose is it?', ['question']);
    await poll();
    expect(await stored(repository)).toHaveLength(1);
    const other = await client.call(operations.createOrganization, { body: { title: 'Elsewhere' } });
    const space = await client.call(operations.createSpace, {
      params: { organizationId: other.id },
      body: { title: 'Theirs' },
    });
    await store.db
      .update(tables.bindings)
      .set({ spaceId: space.id })
      .where(eq(tables.bindings.repositoryId, repository.id));
    await makeDue(repository);
    await poll();
    expect(await stored(repository)).toEqual([]);
    const { items } = await client.call(operations.listConversations, {
      params: { organizationId: other.id },
      query: {},
    });
    expect(items.map(({ sourceId }) => sourceId)).toEqual([`issues/${number}`]);
  },
);

testAtLength(
  'discussions of a category follow their events; without the permission, the status says so once',
  async () => {
    const all = {
      metadata: 'read',
      contents: 'write',
      checks: 'write',
      statuses: 'write',
      pull_requests: 'write',
    } as const;
    // A token has for an hour what was granted when it was made.
    bench.forge.changeInstallation('acme', 'deleted');
    bench.permit({ ...all, issues: 'write' });
    const repository = await sample('talked', '  discussions: { categories: [Q&A], labels: [docs] }\n');
    const { fullName } = repository;
    const text = { title: 'Why so slow?', body: 'It takes long.', category: 'Q&A', labels: [] };
    const number = bench.forge.openDiscussion(fullName, 'acme', text);
    const idea = bench.forge.openDiscussion(fullName, 'acme', {
      ...text,
      title: 'Faster',
      category: 'Ideas',
    });
    await poll();
    expect(await stored(repository)).toEqual([]);
    expect(await statusOf(repository)).toMatch(
      /^The App may not read discussions of acme\/talked: give it the permission “Discussions: Read-only” .*`conversations.discussions`/,
    );
    bench.permit({ ...all, issues: 'write', discussions: 'read' });
    bench.forge.changeInstallation('acme', 'deleted');
    const { installationId } = bench.forge.installApp({ owner: 'acme', repositories: ['talked'] });
    await bench.queue.setRateLimit(`github:installation/${installationId}/conversations`, { concurrency: 4 });
    await idle();
    await makeDue(repository);
    await poll();
    expect(await stored(repository)).toEqual([`discussions/${number} Why so slow?`]);
    expect(await statusOf(repository)).toBe(null);

    bench.forge.commentOnDiscussion(fullName, number, 'stranger', 'Same here.');
    bench.forge.editDiscussion(fullName, idea, { labels: ['docs'] });
    await idle();
    expect((await content(repository, `discussions/${number}`)).parts).toMatchObject([
      { role: 'user', body: 'It takes long.' },
      { role: 'user', body: 'Same here.' },
    ]);
    expect(await stored(repository)).toHaveLength(2);
    bench.forge.editDiscussion(fullName, idea, { labels: [] });
    bench.forge.deleteDiscussion(fullName, number);
    await idle();
    expect(await stored(repository)).toEqual([]);
  },
);
