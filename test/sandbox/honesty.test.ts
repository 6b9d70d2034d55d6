/** The stand-in answers and tells what GitHub's own description says, key by key. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { answerProblems, webhookProblems } from './support/github-description.ts';
import { openSandbox, type Sandbox, WorkTree } from './support/open-sandbox.ts';

let sandbox: Sandbox;

/** Drives every route once with a stock client, and every event with stock git. */
async function exercise(): Promise<void> {
  const { forge } = sandbox;
  const me = forge.createUser('writer');
  const other = forge.createUser('reader');
  const repository = await forge.createRepository({ owner: 'writer', name: 'docs' });
  const { installationId } = forge.installApp({ owner: 'writer', repositories: ['docs'] });
  await forge.createRepository({ owner: 'writer', name: 'more' });
  forge.installApp({ owner: 'writer', repositories: ['docs', 'more'] });
  forge.installApp({ owner: 'writer', repositories: ['docs'] });
  const tree = new WorkTree(join(sandbox.folder, 'work'), repository.cloneUrl, me.token);
  await tree.commit({
    'README.md': '# Docs\n',
    'guide/start.md': 'a\nb\nc\n',
    'logo.png': Buffer.from([0, 1, 2]),
  });
  await tree.push('main');
  await tree.git('tag', '-a', '-m', 'first', 'v1');
  await tree.push('v1', 'main:refs/heads/gone');
  await tree.push(':refs/heads/gone');
  await tree.git('checkout', '--quiet', '-b', 'feature/one');
  await tree.commit({ 'guide/start.md': 'a\nB\nc\n' });
  const head = await tree.commit({ 'guide/start.md': null, 'guide/begin.md': 'a\nB\nc\n' });
  await tree.push('feature/one');

  const app = sandbox.octokit(await sandbox.jwt()).rest;
  await app.apps.getAuthenticated();
  await app.apps.listInstallations();
  await app.apps.getInstallation({ installation_id: installationId });
  await app.apps.getRepoInstallation({ owner: 'writer', repo: 'docs' });
  await app.apps.createInstallationAccessToken({ installation_id: installationId, repositories: ['docs'] });
  await app.apps.getWebhookConfigForApp();
  await app.apps.updateWebhookConfigForApp({ content_type: 'json' });
  const token = await sandbox.installationToken(installationId);

  const at = { owner: 'writer', repo: 'docs' };
  const user = sandbox.octokit(me.token).rest;
  await user.users.getAuthenticated();
  await user.repos.createForAuthenticatedUser({ name: 'third' });
  await sandbox.octokit(other.token).rest.repos.createFork(at);
  const pull = (await user.pulls.create({ ...at, title: 'One', head: 'feature/one', base: 'main' })).data;
  const number = { ...at, pull_number: pull.number };
  await user.pulls.list(at);
  const issue = (await user.issues.create({ ...at, title: 'Lost links', body: 'Two.' })).data;
  await user.issues.listForRepo({ ...at, state: 'all', creator: 'writer' });
  await user.issues.update({ ...at, issue_number: issue.number, state: 'closed', state_reason: 'completed' });
  await user.issues.get({ ...at, issue_number: issue.number });
  await user.issues.addLabels({ ...at, issue_number: issue.number, labels: ['question'] });
  await user.issues.listForRepo({ ...at, state: 'all', labels: 'question', sort: 'updated' });
  await user.issues.removeLabel({ ...at, issue_number: issue.number, name: 'question' });
  const said = { ...at, issue_number: issue.number, body: 'Three.' };
  const { data: comment } = await user.issues.createComment(said);
  await user.issues.updateComment({ ...at, comment_id: comment.id, body: 'Four.' });
  await user.issues.listComments({ ...at, issue_number: issue.number });
  await user.issues.deleteComment({ ...at, comment_id: comment.id });
  await user.pulls.get(number);
  await user.pulls.listFiles(number);
  await user.pulls.listCommits(number);
  await user.pulls.update({ ...number, title: 'Two', body: 'Because.' });
  await user.pulls.update({ ...number, state: 'closed' });
  await user.pulls.update({ ...number, state: 'open' });
  await tree.commit({ 'another.md': 'x\n' });
  await tree.push('feature/one');

  const bot = sandbox.octokit(token).rest;
  await bot.apps.listReposAccessibleToInstallation();
  await bot.repos.get(at);
  for (const path of ['', 'guide', 'guide/begin.md']) await bot.repos.getContent({ ...at, path, ref: head });
  await bot.repos.listBranches(at);
  await bot.repos.getBranch({ ...at, branch: 'feature/one' });
  await bot.git.getRef({ ...at, ref: 'heads/feature/one' });
  await bot.git.getRef({ ...at, ref: 'tags/v1' });
  await bot.repos.listCommits(at);
  await bot.repos.getCommit({ ...at, ref: 'main' });
  await bot.repos.compareCommitsWithBasehead({ ...at, basehead: 'main...feature/one' });
  await bot.repos.createCommitStatus({
    ...at,
    sha: head,
    state: 'success',
    context: 'docs',
    description: 'live',
  });
  await bot.repos.getCombinedStatusForRef({ ...at, ref: head });
  await bot.repos.listCommitStatusesForRef({ ...at, ref: head });
  await bot.pulls.createReview({
    ...number,
    commit_id: head,
    event: 'COMMENT',
    body: 'One line could be right.',
    comments: [{ path: 'guide/begin.md', line: 2, side: 'RIGHT', body: '```suggestion\nb\n```' }],
  });
  await bot.pulls.listReviews(number);
  await bot.users.getByUsername({ username: 'docloom[bot]' });
  const run = (await bot.checks.create({ ...at, name: 'links', head_sha: head, status: 'in_progress' })).data;
  const check = { ...at, check_run_id: run.id };
  await bot.checks.update({
    ...check,
    conclusion: 'failure',
    output: {
      title: 'One broken link',
      summary: 'In *one* file.',
      annotations: [
        {
          path: 'README.md',
          start_line: 1,
          end_line: 1,
          start_column: 1,
          end_column: 3,
          annotation_level: 'failure',
          message: 'broken',
        },
      ],
    },
    actions: [{ label: 'Fix it', description: 'Commit the suggestion', identifier: 'fix' }],
  });
  await bot.checks.get(check);
  await bot.checks.listAnnotations(check);
  await bot.checks.listForRef({ ...at, ref: head });
  await bot.checks.rerequestRun(check);
  forge.requestAction({ checkRunId: run.id, identifier: 'fix', login: 'writer' });
  await forge.queueMerge('writer/docs', pull.number);
  await user.pulls.merge(number);
  forge.editRepository('writer/docs', { defaultBranch: 'feature/one' });
  forge.editRepository('writer/docs', { archived: true });
  forge.editRepository('writer/docs', { archived: false });
  forge.editRepository('writer/more', { name: 'renamed' });
  forge.installApp({ owner: 'writer', repositories: ['docs', 'renamed'] });
  forge.editRepository('writer/renamed', { name: 'more' });
  forge.installApp({ owner: 'taker', repositories: 'all' });
  forge.transferRepository('writer/more', 'taker');
  forge.installApp({ owner: 'writer', repositories: ['docs'] });
  forge.changeInstallation('writer', 'suspend');
  forge.changeInstallation('writer', 'unsuspend');
  await bot.rateLimit.get();

  await forge.waitForIdle();
  const deliveries = (await app.apps.listWebhookDeliveries({ per_page: 100 })).data;
  const delivery_id = deliveries[0]?.id ?? 0;
  await app.apps.getWebhookDelivery({ delivery_id });
  await app.apps.redeliverWebhookDelivery({ delivery_id });

  // Refusals have their shapes too.
  const refused = [
    () => sandbox.octokit('ghp_wrong').rest.users.getAuthenticated(),
    () => user.repos.get({ owner: 'writer', repo: 'nothing' }),
    () => user.checks.create({ ...at, name: 'links', head_sha: head }),
    () => bot.pulls.createReview({ ...number, comments: [{ path: 'guide/begin.md', line: 9, body: 'x' }] }),
    () => user.pulls.create({ ...at, title: 'No', head: 'none', base: 'main' }),
    () => bot.checks.create({ ...at, name: 'links', head_sha: head, status: 'completed' }),
    () => bot.repos.createCommitStatus({ ...at, sha: 'f'.repeat(40), state: 'success' }),
    () => bot.repos.createCommitStatus({ owner: 'writer', repo: 'more', sha: head, state: 'success' }),
  ];
  for (const refuse of refused) await expect(refuse()).rejects.toThrow();
  await forge.waitForIdle();
}

beforeAll(async () => {
  // More events and rights than the App's manifest asks for, so that all that the forge can tell is looked at.
  sandbox = await openSandbox(
    {},
    {
      permissions: {
        checks: 'write',
        contents: 'write',
        merge_queues: 'read',
        metadata: 'read',
        pull_requests: 'write',
        statuses: 'write',
      },
      events: ['check_run', 'create', 'delete', 'merge_group', 'pull_request', 'push', 'repository'],
    },
  );
  await exercise();
});
afterAll(() => sandbox.close());

describe('the REST responses', () => {
  it('fit the schemas of GitHub for their operation and status', () => {
    const problems = sandbox.answered.flatMap(({ method, path, status, body }) =>
      answerProblems(method, path, status, body).map((problem) => `${method} ${path} ${status}: ${problem}`),
    );
    expect([...new Set(problems)]).toEqual([]);
  });

  it('would be found out without a key, or with a wrong kind of value', () => {
    const { body } = sandbox.answered.find(({ path }) => path === '/repos/writer/docs/pulls/1') ?? {};
    const { title: _, ...rest } = body as Record<string, unknown>;
    const answer = (value: unknown): string[] =>
      answerProblems('GET', '/repos/writer/docs/pulls/1', 200, value);
    expect(answer(body)).toEqual([]);
    expect(answer(rest)).toEqual([expect.stringContaining("required property 'title'")]);
    expect(answer({ ...rest, title: 7 })).toEqual([expect.stringContaining('/title must be string')]);
  });

  it('leave no request of a client unanswered', () => {
    expect(sandbox.forge.unexpected).toEqual([]);
  });
});

describe('the webhook payloads', () => {
  it('fit the schemas of GitHub for their event and action', () => {
    const problems = sandbox.received.flatMap(({ event, payload }) =>
      webhookProblems(event, payload.action ?? null, payload).map(
        (problem) => `${event} ${payload.action}: ${problem}`,
      ),
    );
    expect([...new Set(problems)]).toEqual([]);
  });

  it('cover the events and actions that the App needs', () => {
    const seen = new Set(
      sandbox.received.map(({ event, payload }) => [event, payload.action].filter(Boolean).join('.')),
    );
    expect([...seen].sort()).toEqual([
      'check_run.completed',
      'check_run.created',
      'check_run.requested_action',
      'check_run.rerequested',
      'create',
      'delete',
      'installation.created',
      'installation.suspend',
      'installation.unsuspend',
      'installation_repositories.added',
      'installation_repositories.removed',
      'merge_group.checks_requested',
      'pull_request.closed',
      'pull_request.edited',
      'pull_request.opened',
      'pull_request.reopened',
      'pull_request.synchronize',
      'push',
      'repository.archived',
      'repository.edited',
      'repository.renamed',
      'repository.transferred',
      'repository.unarchived',
    ]);
  });
});

describe('the payloads against real examples', () => {
  const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
    name: string;
    examples: Record<string, unknown>[];
  }[];
  /** Not in a repository of a user, or younger than the examples. */
  const optional = new Set(['organization', 'enterprise']);

  it.each(['push', 'pull_request', 'check_run', 'create', 'delete', 'installation_repositories'])(
    'have every key that all examples of %s have, and none that no example has',
    (name) => {
      const ours = sandbox.received.filter(({ event }) => event === name).map(({ payload }) => payload);
      const theirs = examples.find((example) => example.name === name)?.examples ?? [];
      const common = keysOfAll(theirs).filter((key) => !optional.has(key));
      const known = new Set(theirs.flatMap((candidate) => Object.keys(candidate)));
      for (const payload of ours) {
        const same = theirs.filter((candidate) => candidate['action'] === payload.action);
        if (same.length === 0) continue;
        expect(Object.keys(payload)).toEqual(expect.arrayContaining(common));
        const particular = keysOfAll(same).filter((key) => !optional.has(key) && key !== 'installation');
        expect(Object.keys(payload)).toEqual(expect.arrayContaining(particular));
        expect(Object.keys(payload).filter((key) => !known.has(key) && key !== 'installation')).toEqual([]);
      }
    },
  );

  it('give repository, sender and pull request the kinds of value that the examples have', () => {
    for (const name of ['push', 'pull_request']) {
      const theirs = examples.find((example) => example.name === name)?.examples ?? [];
      for (const { payload } of sandbox.received.filter(({ event }) => event === name)) {
        for (const part of ['repository', 'sender', 'pull_request', 'head_commit']) {
          if (payload[part])
            expect(
              foreignKinds(
                payload[part],
                theirs.map((candidate) => candidate[part]),
              ),
            ).toEqual([]);
        }
      }
    }
  });
});

function keysOfAll(objects: readonly Record<string, unknown>[]): string[] {
  return Object.keys(objects[0] ?? {}).filter((key) => objects.every((candidate) => key in candidate));
}

/** Keys whose kind of value no example has. A key that the examples do not know is judged by the schemas instead. */
function foreignKinds(ours: Record<string, unknown>, theirs: readonly unknown[]): string[] {
  const kind = (value: unknown): string =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return Object.entries(ours).flatMap(([key, value]) => {
    const kinds = theirs.flatMap((candidate) =>
      candidate && key in (candidate as object) ? [kind((candidate as Record<string, unknown>)[key])] : [],
    );
    return kinds.every((text) => text === 'null') || kinds.includes(kind(value)) || kind(value) === 'null'
      ? []
      : [`${key} is ${kind(value)}`];
  });
}

it('gives the App the permissions and events of its manifest', async () => {
  const manifest = parse(readFileSync(new URL('../../app.yml', import.meta.url), 'utf8'));
  const plain = await openSandbox();
  try {
    const { data } = await plain.octokit(await plain.jwt()).rest.apps.getAuthenticated();
    expect(data?.permissions).toEqual(manifest.default_permissions);
    expect(data?.events).toEqual(manifest.default_events);
  } finally {
    await plain.close();
  }
});
