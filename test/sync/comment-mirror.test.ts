/** What is said about a change request is on its pull request, too, and the other way round: each once, whatever happens. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Comment, type CommentReply, createClient, operations } from '../../src/client/index.ts';
import { createHttp } from '../../src/net/http.ts';
import { tables } from '../../src/store/index.ts';
import {
  createScheduler,
  mirrorJob,
  type Scheduler,
  watchDiscussions,
  watchPullDiscussions,
} from '../../src/sync/index.ts';
import {
  type AppBench,
  type BenchRepository,
  openAppBench,
  untilIdle,
  waitInHurry,
} from '../github/app-bench.ts';
import { openBenchPlatform, type RealPlatform } from '../github/bench-platform.ts';
import { createMember, type TestMember } from '../platform/create-member.ts';
import { testAtLength } from '../support/describe-at-length.ts';

let bench: AppBench;
let platform: RealPlatform;
let scheduler: Scheduler;
let ada: TestMember;
const http = createHttp({ userAgent: 'docloom-test' });

beforeAll(async () => {
  bench = await openAppBench(
    async (parts) => {
      platform = await openBenchPlatform(parts, { onDiscussionChanged: watchDiscussions(parts) });
      return platform;
    },
    { pullDiscussed: ({ store, queue }) => watchPullDiscussions({ db: store.db, queue }) },
  );
  const { store, queue, client, access, url, log } = bench;
  const now = () => new Date();
  scheduler = createScheduler({ db: store.db, queue, client, access, http, now, publicUrl: url, log });
  await scheduler.startJobs();
  ada = await createMember(
    { deps: platform.deps, organizationId: platform.organization } as never,
    'Ada Lovelace',
    { role: 'comment' },
  );
});

afterAll(async () => {
  await bench?.close();
  await http.close();
});

const idle = () => untilIdle(bench);

interface Remote {
  readonly id: number;
  readonly body: string;
  readonly path?: string;
  readonly line?: number | null;
  readonly subject_type?: string;
  readonly in_reply_to_id?: number;
  readonly html_url: string;
  readonly user: { readonly login: string };
}

const GUIDE = [
  '# Guide',
  'Install it with [the package manager](https://example.com/packages) of your system.',
  'Run it once as an administrator.',
  'Then open the address that it prints.',
  ...Array.from({ length: 20 }, (_, at) => `Paragraph ${at} says something else.`),
  'Far away from every change.',
].join('\n\n');

/** A repository whose space has a merged change request, with a pull request that carries it. */
async function sample(name: string, exports = '  mirror-comments: true\n') {
  const repository = await bench.createRepository(name);
  await repository.local.commit({
    'docs/README.md': '# Home\n',
    'docs/guide.md': `${GUIDE}\n`,
    'docs/other.md': '# Other\n\nNobody changes this page.\n',
    '.github/docloom.yml': `spaces:\n  - directory: docs\n    title: ${name}\n    direction: both\nexports:\n  mode: pull-request\n${exports}`,
  });
  repository.install({ unheard: true });
  await repository.push();
  await idle();
  const [row] = await bench.store.db
    .select()
    .from(tables.bindings)
    .where(eq(tables.bindings.repositoryId, repository.id));
  const { id: bindingId, spaceId } = row as { id: string; spaceId: string };
  const { id: changeRequestId } = await bench.client.call(operations.createChangeRequest, {
    params: { spaceId },
    body: { subject: 'Better words' },
  });
  const params = { spaceId, changeRequestId };
  const text = GUIDE.replace('Run it once', 'Start it once');
  await bench.client.call(operations.changeContent, {
    params,
    body: { changes: [{ type: 'write', path: 'docs/guide.md', text: `${text}\n` }] },
  });
  const writer = createClient({ baseUrl: bench.url, token: ada.token, http });
  const pageIds = await pagesOf(params);
  const nodeOf = async (page: string, words: string) => {
    const { document } = await bench.client.call(operations.getChangeRequestPage, {
      params: { ...params, pageId: pageIds[page] ?? '' },
      query: { format: 'document' },
    });
    const found = document?.nodes.find((node) => JSON.stringify(node).includes(words));
    return { page: pageIds[page] ?? '', node: found?.key ?? 'none' };
  };
  return {
    repository,
    bindingId,
    params,
    writer,
    nodeOf,
    say: (markdown: string, at: object = {}) =>
      writer.call(operations.createChangeRequestComment, { params, body: { body: { markdown }, ...at } }),
    async merge() {
      await bench.client.call(operations.mergeChangeRequest, { params });
      await scheduler.poll(AbortSignal.timeout(60_000));
      await idle();
    },
    async threads(): Promise<readonly Comment[]> {
      const { items } = await writer.call(operations.listChangeRequestComments, {
        params,
        query: { format: 'markdown', order: 'asc', limit: 100 },
      });
      return items;
    },
    async replies(commentId: string): Promise<readonly CommentReply[]> {
      const { items } = await writer.call(operations.listChangeRequestCommentReplies, {
        params: { ...params, commentId },
        query: { format: 'markdown' },
      });
      return items;
    },
    reviews: () => repository.api<readonly Remote[]>('GET', '/pulls/1/comments?per_page=100'),
    conversation: () => repository.api<readonly Remote[]>('GET', '/issues/1/comments'),
  };
}

async function pagesOf(params: { readonly spaceId: string; readonly changeRequestId: string }) {
  const { pages } = await bench.client.call(operations.listChangeRequestPages, { params });
  const all = (list: typeof pages): [string, string][] =>
    list.flatMap(({ id, title, pages: below }) => [[title, id] as [string, string], ...all(below)]);
  return Object.fromEntries(all(pages));
}

/** A call as somebody who may write to the repository, but does not own it. */
async function asReviewer(
  { fullName }: BenchRepository,
  login: string,
  method: string,
  path: string,
  body: object,
): Promise<Remote> {
  bench.forge.addCollaborator(fullName, login);
  const { token } = bench.forge.createUser(login);
  const answer = await fetch(`${bench.forge.apiUrl}/repos/${fullName}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return answer.status === 204 ? ({} as Remote) : ((await answer.json()) as Remote);
}

async function headOf({ api }: BenchRepository): Promise<string> {
  return (await api<{ head: { sha: string } }>('GET', '/pulls/1')).head.sha;
}

const texts = (list: readonly { readonly body: string }[]) => list.map(({ body }) => body);

test('a comment stands on the line of its text, else on the file or in the conversation, and says where it is', async () => {
  const one = await sample('places');
  const before = await one.say(
    'Hello @octocat, see #12 and <img src=x onerror=alert(1)> ![p](https://tracker.example/p.png).\n\n```suggestion\nrm\n```',
    await one.nodeOf('Guide', 'Start it once'),
  );
  const far = await one.say('And this?', await one.nodeOf('Guide', 'Far away'));
  const other = await one.say('Why not this page?', await one.nodeOf('Other', 'Nobody changes'));
  const whole = await one.say('In general, good.');
  const settled = await one.say('Settled before.');
  const settledParams = { ...one.params, commentId: settled.id };
  await one.writer.call(operations.updateChangeRequestComment, {
    params: settledParams,
    body: { resolved: true },
  });
  await one.merge();

  const reviews = await one.reviews();
  expect(reviews.map(({ path, line, subject_type }) => [path, line, subject_type])).toEqual([
    ['docs/guide.md', 5, 'line'],
    ['docs/guide.md', null, 'file'],
  ]);
  const [onLine, onFile] = texts(reviews);
  expect(onLine).toContain(`<!-- docloom: comment ${before.id} -->\n`);
  expect(onLine).toContain('**Ada Lovelace** commented [in Docloom](');
  expect(onLine).toContain('Hello @\u200boctocat, see #\u200b12');
  expect(onLine).not.toMatch(/[^\\]<img|!\[|```suggestion|> Start/);
  expect(onFile).toContain('> Far away from every change.');
  const conversation = await one.conversation();
  expect(conversation).toHaveLength(2);
  expect(conversation[0]?.body).toContain('on the page **Other**');
  expect(conversation[0]?.body).toContain('> Nobody changes this page.');
  expect(conversation[1]?.body).toContain('In general, good.');

  const urls = new Map((await one.threads()).map(({ id, mirror }) => [id, mirror]));
  expect(urls.get(before.id)).toEqual({ url: reviews[0]?.html_url });
  expect(urls.get(far.id)).toEqual({ url: reviews[1]?.html_url });
  expect(urls.get(other.id)).toEqual({ url: conversation[0]?.html_url });
  expect(urls.get(whole.id)).toEqual({ url: conversation[1]?.html_url });
  expect(urls.get(settled.id)).toBeUndefined();

  // Replies go where their thread is.
  const reply = async (commentId: string, markdown: string) =>
    await one.writer.call(operations.createChangeRequestCommentReply, {
      params: { ...one.params, commentId },
      body: { body: { markdown } },
    });
  await reply(before.id, 'More to the line.');
  await reply(whole.id, 'More to the whole.');
  await idle();
  expect((await one.reviews()).at(-1)).toMatchObject({ in_reply_to_id: reviews[0]?.id });
  expect((await one.conversation()).at(-1)?.body).toMatch(/replied .* to \[a comment by Ada Lovelace\]\(/);
});

testAtLength(
  'comments of reviewers come as threads on their text, with replies both ways, each once',
  async () => {
    const one = await sample('back');
    await one.merge();
    const { repository } = one;
    const commit_id = await headOf(repository);
    const at = { commit_id, path: 'docs/guide.md', side: 'RIGHT' };
    const first = await asReviewer(repository, 'octocat', 'POST', '/pulls/1/comments', {
      ...at,
      line: 5,
      body: 'Is that right, @Ada Lovelace?\n\n<script>alert(1)</script>',
    });
    const onLink = await asReviewer(repository, 'octocat', 'POST', '/pulls/1/comments', {
      ...at,
      line: 3,
      body: 'Which one?',
    });
    await idle();
    const [thread, second] = await one.threads();
    expect(thread).toMatchObject({
      mirror: { url: first.html_url, author: 'octocat' },
      target: { node: { id: (await one.nodeOf('Guide', 'Start it once')).node } },
    });
    expect(second).toMatchObject({
      mirror: { url: onLink.html_url },
      target: { node: { id: (await one.nodeOf('Guide', 'package manager')).node } },
    });
    expect(thread?.body.markdown).toContain('@\u200bAda Lovelace');
    expect(thread?.body.markdown).not.toMatch(/[^\\]<script/);
    const { items: notices } = await one.writer.call(operations.listNotifications, { query: {} });
    expect(notices).toEqual([]);

    await one.writer.call(operations.createChangeRequestCommentReply, {
      params: { ...one.params, commentId: thread?.id ?? '' },
      body: { body: { markdown: 'Yes, it is.' } },
    });
    await idle();
    const answered = (await one.reviews()).at(-1);
    expect(answered).toMatchObject({ in_reply_to_id: first.id, user: { login: 'docloom[bot]' } });
    await asReviewer(repository, 'hubot', 'POST', `/pulls/1/comments/${answered?.id}/replies`, {
      body: 'Thanks.',
    });
    await idle();
    const replies = await one.replies(thread?.id ?? '');
    expect(replies.map(({ body, mirror }) => [body.markdown, mirror?.author])).toEqual([
      ['Yes, it is.', undefined],
      ['Thanks.', 'hubot'],
    ]);

    // Everything that GitHub sent comes again, the newest first, and the work is asked for again by hand.
    const sent = bench.forge.deliveries.filter(({ event }) => event === 'pull_request_review_comment');
    expect(sent.length).toBeGreaterThanOrEqual(4);
    const count = bench.forge.apiLog.filter(({ method }) => method !== 'GET').length;
    for (const { guid } of sent.toReversed()) bench.forge.redeliver(guid);
    await idle();
    await bench.store.db.delete(tables.deliveries);
    for (const { guid } of sent.toReversed()) bench.forge.redeliver(guid);
    await idle();
    expect(await one.threads()).toHaveLength(2);
    expect(await one.replies(thread?.id ?? '')).toHaveLength(2);
    expect(await one.reviews()).toHaveLength(4);
    const writes = bench.forge.apiLog.filter(
      ({ method, path }) => method !== 'GET' && !path.includes('access_tokens'),
    );
    expect(writes.length).toBeLessThanOrEqual(count);
  },
);

testAtLength('edits and deletions follow, and what others said below stays', async () => {
  const one = await sample('edits');
  const own = await one.say('First words.', await one.nodeOf('Guide', 'Start it once'));
  const gone = await one.say('To be deleted.');
  await one.merge();
  const { repository } = one;
  const commit_id = await headOf(repository);
  const at = { commit_id, path: 'docs/guide.md', side: 'RIGHT', line: 5 };
  const theirs = await asReviewer(repository, 'octocat', 'POST', '/pulls/1/comments', { ...at, body: 'One' });
  const kept = await asReviewer(repository, 'octocat', 'POST', '/pulls/1/comments', { ...at, body: 'Two' });
  await idle();
  const params = { ...one.params, commentId: own.id };
  await one.writer.call(operations.updateChangeRequestComment, {
    params,
    body: { body: { markdown: 'Better words.' }, resolved: true },
  });
  await one.writer.call(operations.deleteChangeRequestComment, {
    params: { ...one.params, commentId: gone.id },
  });
  const [, copyOfKept] = (await one.threads()).filter(({ mirror }) => mirror?.author === 'octocat');
  await one.writer.call(operations.createChangeRequestCommentReply, {
    params: { ...one.params, commentId: copyOfKept?.id ?? '' },
    body: { body: { markdown: 'I said something.' } },
  });
  await idle();
  const [copy] = await one.reviews();
  expect(copy?.body).toContain('Better words.');
  expect(copy?.body).toContain('*Resolved in Docloom.*');
  expect(texts(await one.conversation()).filter((body) => body.includes('deleted'))).toEqual([]);

  await asReviewer(repository, 'octocat', 'PATCH', `/pulls/comments/${theirs.id}`, { body: 'Uno' });
  await idle();
  expect((await one.threads()).map(({ body }) => body.markdown)).toContain('Uno');
  for (const { id } of [theirs, kept])
    await asReviewer(repository, 'octocat', 'DELETE', `/pulls/comments/${id}`, {});
  // A copy that somebody deletes on GitHub does not come back, and its original stays.
  await asReviewer(repository, 'octocat', 'DELETE', `/pulls/comments/${copy?.id}`, {});
  await idle();
  const left = await one.threads();
  expect(left.map(({ body }) => body.markdown)).toEqual(['Better words.', '*Deleted on GitHub.*']);
  expect(left[0]?.mirror).toBeUndefined();
  await one.say('One more.');
  await idle();
  expect((await one.reviews()).filter(({ body }) => body.includes('Better words.'))).toEqual([]);
  expect((await one.conversation()).at(-1)?.body).toContain('One more.');
});

testAtLength(
  'a process that dies between GitHub’s answer and its own record posts nothing twice',
  async () => {
    const one = await sample('killed');
    await one.merge();
    const { repository, bindingId } = one;
    const commit_id = await headOf(repository);
    await one.say('Once only.', await one.nodeOf('Guide', 'Start it once'));
    await one.say('Once in general.');
    await asReviewer(repository, 'octocat', 'POST', '/pulls/1/comments', {
      commit_id,
      path: 'docs/guide.md',
      side: 'RIGHT',
      line: 5,
      body: 'Also once.',
    });
    await idle();
    expect([(await one.threads()).length, (await one.reviews()).length]).toEqual([3, 2]);
    // As if none of the records had been written before it died.
    await bench.store.db
      .delete(tables.mirroredComments)
      .where(eq(tables.mirroredComments.repositoryId, repository.id));
    const [binding] = await bench.store.db
      .select()
      .from(tables.bindings)
      .where(eq(tables.bindings.id, bindingId));
    const payload = {
      repositoryId: repository.id,
      installationId: binding?.installationId ?? 0,
      number: 1,
    };
    await bench.queue.enqueue(bench.store.db, mirrorJob, payload);
    await idle();
    expect([(await one.threads()).length, (await one.reviews()).length]).toEqual([3, 2]);
    expect(await one.conversation()).toHaveLength(1);
    const rows = await bench.store.db
      .select()
      .from(tables.mirroredComments)
      .where(eq(tables.mirroredComments.repositoryId, repository.id));
    expect(rows.map(({ origin }) => origin).sort()).toEqual(['here', 'here', 'there']);

    // Somebody else's text with the mark of a copy is no copy.
    const [copy] = (await one.reviews()).filter(({ user }) => user.login === 'docloom[bot]');
    await asReviewer(repository, 'mallory', 'POST', '/pulls/1/comments', {
      commit_id,
      path: 'docs/guide.md',
      side: 'RIGHT',
      line: 5,
      body: copy?.body ?? '',
    });
    await idle();
    expect((await one.threads()).filter(({ mirror }) => mirror?.author === 'mallory')).toHaveLength(1);

    // GitHub answers with an error after it has posted.
    bench.forge.faults.set({
      on: 'api',
      kind: 'lost-answer',
      times: 1,
      method: 'POST',
      path: /\/pulls\/1\/comments$/,
    });
    await one.say('Answer lost.', await one.nodeOf('Guide', 'Start it once'));
    await waitInHurry(bench, async () =>
      (await one.threads()).find(({ body, mirror }) => body.markdown === 'Answer lost.' && mirror),
    );
    await idle();
    expect((await one.reviews()).filter(({ body }) => body.includes('Answer lost.'))).toHaveLength(1);
  },
);

testAtLength(
  'without the setting, and once the pull request is closed, each side keeps what it has',
  async () => {
    const off = await sample('off', '');
    await off.say('Only here.');
    await off.merge();
    expect(await off.conversation()).toEqual([]);
    await asReviewer(off.repository, 'octocat', 'POST', '/pulls/1/comments', {
      commit_id: await headOf(off.repository),
      path: 'docs/guide.md',
      side: 'RIGHT',
      line: 5,
      body: 'Only there.',
    });
    await idle();
    expect(await off.threads()).toHaveLength(1);

    const closed = await sample('closed');
    await closed.merge();
    await closed.repository.api('PATCH', '/pulls/1', { state: 'closed' });
    await idle();
    await closed.say('Too late.');
    await idle();
    expect(await closed.conversation()).toEqual([]);
    const [row] = await bench.store.db
      .select()
      .from(tables.pullChangeRequests)
      .where(eq(tables.pullChangeRequests.repositoryId, closed.repository.id));
    expect(row?.closedAt).not.toBeNull();
  },
);
