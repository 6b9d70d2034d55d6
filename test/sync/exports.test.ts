/** Edits of a space come back to its repository, as its configuration says, and cause nothing there a second time. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp } from '../../src/net/http.ts';
import { countExternal, listExternalFindings, replaceUses } from '../../src/store/external-links.ts';
import { tables } from '../../src/store/index.ts';
import { exportJob } from '../../src/sync/exports/export-job.ts';
import { issueJob } from '../../src/sync/external-links/issue-job.ts';
import { gatherJob } from '../../src/sync/external-links/link-job.ts';
import { createScheduler, type Scheduler } from '../../src/sync/index.ts';
import {
  type AppBench,
  type BenchRepository,
  openAppBench,
  untilIdle,
  waitFor,
} from '../github/app-bench.ts';
import { openBenchPlatform } from '../github/bench-platform.ts';
import { describeAtLength, testAtLength } from '../support/describe-at-length.ts';

let bench: AppBench;
let scheduler: Scheduler;

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform);
  const { store, queue, client, access, url, log } = bench;
  const http = createHttp({ userAgent: 'docloom-test', guard: createAddressGuard() });
  const now = () => new Date();
  scheduler = createScheduler({ db: store.db, queue, client, access, http, now, publicUrl: url, log });
  await scheduler.startJobs();
});

afterAll(() => bench?.close());

const idle = () => untilIdle(bench);

async function look(): Promise<void> {
  await scheduler.poll(AbortSignal.timeout(60_000));
  await idle();
}

interface Pull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
}

/** A repository whose docs are live in a space that exports. */
async function sample(name: string, exports: string) {
  const repository = await bench.createRepository(name);
  const { local } = repository;
  await local.commit({
    'docs/README.md': '# Home\n',
    'docs/guide.md': '# Guide\n\nOld words.\n',
    'src/code.c': 'int x;\n',
    '.github/docloom.yml': `spaces:\n  - directory: docs\n    title: Handbook\n    direction: both\nexports:\n${exports}`,
  });
  repository.install({ unheard: true });
  await repository.push();
  await idle();
  const { bindings } = tables;
  const bindingOf = async () => {
    const [row] = await bench.store.db
      .select()
      .from(bindings)
      .where(eq(bindings.repositoryId, repository.id));
    if (!row?.spaceId) throw new Error(`${name} has no space.`);
    return { ...row, spaceId: row.spaceId };
  };
  const { spaceId } = await bindingOf();
  return {
    repository,
    bindingOf,
    async edit(path: string, text: string, subject: string) {
      const { id } = await bench.client.call(operations.createChangeRequest, {
        params: { spaceId },
        body: { subject },
      });
      const params = { spaceId, changeRequestId: id };
      const changes = [{ type: 'write' as const, path, text }];
      await bench.client.call(operations.changeContent, { params, body: { changes } });
      await bench.client.call(operations.mergeChangeRequest, { params });
    },
    async exported() {
      const { id } = await bindingOf();
      const { exports } = tables;
      const [row] = await bench.store.db.select().from(exports).where(eq(exports.bindingId, id));
      return row;
    },
    pulls: () => repository.api<readonly Pull[]>('GET', '/pulls?state=all'),
  };
}

/** Fetches what the forge has and asks git about it. */
async function git({ local, fullName }: BenchRepository, ...args: readonly string[]): Promise<string> {
  const { token } = bench.forge.createUser('acme');
  const url = `${bench.forge.url}/${fullName}.git`.replace('://', `://x:${token}@`);
  await local.git(['fetch', '--quiet', '--prune', url, '+refs/heads/*:refs/remotes/forge/*']);
  return await local.git(args);
}

testAtLength('edits go to the branch as one commit, and come back as nothing new', async () => {
  const { repository, edit, exported, bindingOf } = await sample(
    'direct',
    '  mode: direct\n  message: "docs({space}): {change}"\n  sign-off: true\n',
  );
  await look();
  expect(await exported()).toBeUndefined();
  await edit('docs/guide.md', '# Guide\n\nNew words.\n', 'Better words');
  await edit('docs/more.md', '# More\n', 'One more page');
  await look();
  const tip = await git(repository, 'rev-parse', 'forge/main');
  expect(await exported()).toMatchObject({ outcome: 'pushed', commitOid: tip, pullNumber: null });
  expect(await git(repository, 'diff-tree', '-r', '--no-commit-id', '--name-status', tip)).toBe(
    'M\tdocs/guide.md\nA\tdocs/more.md',
  );
  expect(await git(repository, 'show', '-s', '--format=%B', tip)).toBe(
    [
      'docs(Handbook): Better words, and 1 more',
      '* Better words\n* One more page',
      'Signed-off-by: Operator <operator@localhost>',
    ].join('\n\n'),
  );
  // With the account's id GitHub shows the account, not only its name.
  expect(await git(repository, 'show', '-s', '--format=%an, %cn <%ce>', tip)).toMatch(
    /^Operator, docloom\[bot\] <\d+\+docloom\[bot\]@users\.noreply\.127\.0\.0\.1>$/,
  );
  expect(await bindingOf()).toMatchObject({ liveOid: tip });
  await look();
  await look();
  // A process that was killed after its export had completed leaves the job to another, which finds nothing to export.
  const { id: bindingId, installationId, spaceId } = await bindingOf();
  await bench.queue.enqueue(bench.store.db, exportJob, { bindingId, installationId });
  await idle();
  expect(await exported()).toMatchObject({ outcome: 'same' });
  // The push of the export itself is looked at, and brings nothing.
  const { items } = await bench.client.call(operations.listGitOperations, { params: { spaceId } });
  expect(items.map(({ direction, unchanged, commit }) => [direction, unchanged, commit])).toEqual([
    ['import', true, tip],
    ['export', false, tip],
    ['import', false, await git(repository, 'rev-parse', 'forge/main^')],
  ]);
  expect(await git(repository, 'rev-parse', 'forge/main')).toBe(tip);
  expect(await git(repository, 'rev-list', '--count', 'forge/main')).toBe('2');
});

test('edits go into one pull request, which is kept current with its branch and closed with it', async () => {
  const { repository, edit, exported, pulls } = await sample('rolling', '  mode: pull-request\n');
  const main = await git(repository, 'rev-parse', 'forge/main');
  await edit('docs/guide.md', '# Guide\n\nNew words.\n', 'Better @words');
  await look();
  const [first] = await pulls();
  expect(first).toMatchObject({ number: 1, state: 'open', title: 'docs: Better @words' });
  expect(first?.body).toContain('](http');
  expect(first?.body).not.toContain('@words');
  expect(await exported()).toMatchObject({ outcome: 'proposed', pullNumber: 1, branch: 'docloom/handbook' });
  expect(await git(repository, 'rev-parse', 'forge/main')).toBe(main);

  await edit('docs/guide.md', '# Guide\n\nEven newer words.\n', 'Best words');
  await look();
  const [second, ...others] = await pulls();
  expect(others).toEqual([]);
  expect(second).toMatchObject({ number: 1, title: 'docs: Better @words, and 1 more' });

  await repository.local.commit({ 'src/code.c': 'int y;\n' });
  await repository.push();
  await idle();
  await look();
  expect(await git(repository, 'merge-base', 'forge/main', 'forge/docloom/handbook')).toBe(
    await git(repository, 'rev-parse', 'forge/main'),
  );
  expect(await git(repository, 'diff', '--name-only', 'forge/main', 'forge/docloom/handbook')).toBe(
    'docs/guide.md',
  );

  await repository.api('PUT', '/pulls/1/merge', {});
  await idle();
  await look();
  expect(await exported()).toMatchObject({ outcome: 'same' });
  expect(await git(repository, 'branch', '-r', '--list', 'forge/docloom/*')).toBe('');
  const calls = bench.forge.apiLog.length;
  await look();
  expect(bench.forge.apiLog.slice(calls)).toEqual([]);
});

testAtLength(
  'what both sides changed becomes a pull request that names the files, and neither side is touched',
  async () => {
    const { repository, edit, exported, pulls, bindingOf } = await sample('conflict', '  mode: direct\n');
    const live = (await bindingOf()).liveOid;
    await edit('docs/guide.md', '# Guide\n\nWords of the space.\n', 'Words');
    const theirs = await repository.local.commit({ 'docs/guide.md': '# Guide\n\nWords of the branch.\n' });
    await repository.push();
    await idle();
    await look();
    const [pull] = await pulls();
    expect(pull?.body).toContain('- `docs/guide.md`');
    expect(await exported()).toMatchObject({ outcome: 'proposed', paths: ['docs/guide.md'] });
    expect(await git(repository, 'rev-parse', 'forge/main')).toBe(theirs);
    expect(await git(repository, 'rev-parse', 'forge/docloom/handbook^')).toBe(live);
    expect(await git(repository, 'show', 'forge/docloom/handbook:docs/guide.md')).toContain('of the space');
  },
);

testAtLength(
  'a protected branch gets a pull request that states why, and commits again once it accepts them',
  async () => {
    const { repository, edit, exported, pulls } = await sample('protected', '  mode: direct\n');
    const main = await git(repository, 'rev-parse', 'forge/main');
    const unprotect = await repository.protect('main');
    await edit('docs/guide.md', '# Guide\n\nNew words.\n', 'Better words');
    await look();
    expect(await exported()).toMatchObject({ outcome: 'proposed', pullNumber: 1 });
    const [pull] = await pulls();
    expect(pull).toMatchObject({ state: 'open', title: 'docs: Better words' });
    expect(pull?.body).toMatch(
      /could not be pushed to `main`: .*“GH006: Protected branch update failed for refs\/heads\/main”/,
    );
    expect(pull?.body).toMatch(/They change these files:\s+[*-] `docs\/guide\.md`\n/);
    expect(pull?.body).not.toContain('README.md');
    expect(await git(repository, 'rev-parse', 'forge/main')).toBe(main);
    await look();
    await unprotect();
    await edit('docs/guide.md', '# Guide\n\nNewer words.\n', 'Best words');
    await look();
    expect(await exported()).toMatchObject({ outcome: 'pushed', pullNumber: null });
    expect((await pulls()).map(({ number, state }) => `${number} ${state}`)).toEqual(['1 closed']);
    expect(await git(repository, 'rev-parse', 'forge/main^')).toBe(main);
  },
);

testAtLength('a pull request that was closed is not opened again for the same edits', async () => {
  const { repository, edit, exported, pulls } = await sample('declined', '  mode: pull-request\n');
  await edit('docs/guide.md', '# Guide\n\nUnwanted.\n', 'Unwanted words');
  await look();
  await repository.api('PATCH', '/pulls/1', { state: 'closed' });
  await repository.local.commit({ 'src/code.c': 'int z;\n' });
  await repository.push();
  await idle();
  await look();
  await look();
  expect((await pulls()).map(({ state }) => state)).toEqual(['closed']);
  expect(await exported()).toMatchObject({ outcome: 'declined', pullNumber: 1 });
  await edit('docs/guide.md', '# Guide\n\nWanted.\n', 'Wanted words');
  await look();
  expect((await pulls()).map(({ number, state }) => `${number} ${state}`).sort()).toEqual([
    '1 closed',
    '2 open',
  ]);
});

describeAtLength('edits and pushes at once', false, () => {
  test.each(['direct', 'pull-request'])(
    'three edits and three interleaved pushes lead to the same content on both sides (%s)',
    async (mode) => {
      const { repository, edit, bindingOf, exported, pulls } = await sample(
        `mixed-${mode}`,
        `  mode: ${mode}\n`,
      );
      const push = async (n: number) => {
        await git(repository, 'update-ref', 'refs/heads/main', 'refs/remotes/forge/main');
        await repository.local.commit({ [`docs/pushed-${n}.md`]: `# Pushed ${n}\n` });
        await repository.push();
      };
      const write = (n: number) => edit(`docs/edited-${n}.md`, `# Edited ${n}\n`, `Edit ${n}`);
      const lookNow = () => scheduler.poll(AbortSignal.timeout(60_000));
      await write(1);
      await Promise.all([lookNow(), push(1)]);
      await Promise.all([write(2), lookNow()]);
      await idle();
      await Promise.all([push(2), write(3), lookNow()]);
      await idle();
      await push(3);
      await look();
      await look();
      if (mode === 'pull-request') {
        const [open] = (await pulls()).filter(({ state }) => state === 'open');
        await repository.api('PUT', `/pulls/${open?.number}/merge`, {});
        await idle();
        await look();
      }
      const tip = await git(repository, 'rev-parse', 'forge/main');
      await look();
      await look();
      expect(await git(repository, 'rev-parse', 'forge/main')).toBe(tip);
      const files = await git(repository, 'ls-tree', '-r', '--name-only', tip, 'docs');
      const made = [1, 2, 3].flatMap((n) => [`docs/edited-${n}.md`, `docs/pushed-${n}.md`]);
      expect(files.split('\n')).toEqual(expect.arrayContaining(made));
      const { spaceId, liveOid } = await bindingOf();
      expect(liveOid).toBe(tip);
      const { pages } = await bench.client.call(operations.listPages, { params: { spaceId } });
      expect(pages).toHaveLength(8);
      const { gitSync } = await bench.client.call(operations.getSpace, { params: { spaceId } });
      expect(gitSync).toMatchObject({ hasEdits: false });
      expect(['same', 'pushed']).toContain((await exported())?.outcome);
    },
  );
});

testAtLength(
  'one issue lists dead links, is updated with them, and is reopened rather than created again',
  async () => {
    const { repository, bindingOf } = await sample(
      'issue',
      '  mode: direct\nexternal-links:\n  issue: true\n',
    );
    const { id, repositoryId, installationId } = await bindingOf();
    const { db } = bench.store;
    const url = 'https://gone.example/`a`/@all';
    const other = 'https://other.example/';
    const use = { bindingId: id, url, fragment: '', path: 'docs/gui de.md', line: 3 };
    await replaceUses(db, id, [use, { ...use, url: other }]);
    const since = new Date('2026-03-01T12:00:00Z');
    const set = async (of: string, state: 'dead' | 'ok') => {
      const detail = 'gone.example @answers <b>404</b>.';
      const { externalLinks } = tables;
      await db.update(externalLinks).set({ state, detail, since }).where(eq(externalLinks.url, of));
      await bench.queue.enqueue(db, issueJob, { repositoryId, installationId });
      await idle();
      const made = await repository.api<readonly Issue[]>('GET', '/issues?state=all');
      expect(made.length).toBeLessThanOrEqual(1);
      return made[0];
    };
    interface Issue {
      readonly number: number;
      readonly body: string;
      readonly state: string;
    }
    expect(await set(url, 'ok')).toBeUndefined();
    const opened = await set(url, 'dead');
    expect(opened).toMatchObject({ state: 'open', title: 'Dead links to other sites' });
    expect(opened?.body).toContain(
      `- \`\`${url}\`\`: dead since 2026-03-01. gone.example @\u200Banswers \\<b>404\\</b>.`,
    );
    expect(opened?.body).toContain('/issue/blob/main/docs/gui%20de.md?plain=1#L3)');
    const number = opened?.number;
    expect((await set(other, 'dead'))?.body).toContain(other);
    await set(other, 'ok');
    expect(await set(url, 'ok')).toMatchObject({ number, state: 'closed', state_reason: 'completed' });
    expect(await set(url, 'dead')).toMatchObject({ number, state: 'open' });
    // Somebody knows, and does not care.
    await repository.api('PATCH', `/issues/${number}`, { state: 'closed' });
    expect(await set(url, 'dead')).toMatchObject({ state: 'closed' });
    expect(await set(other, 'dead')).toMatchObject({ number, state: 'open' });
  },
);

// The last: what fails waits for hours to be asked again, so nothing is idle after it.
testAtLength('the addresses that pages link to are gathered, each with its position', async () => {
  const { repository, bindingOf } = await sample('outside', '  mode: direct\n');
  await git(repository, 'update-ref', 'refs/heads/main', 'refs/remotes/forge/main');
  await repository.local.commit({
    'docs/guide.md':
      '# Guide\n\n[a](https://nowhere.invalid/a#b), [a](https://nowhere.invalid/a) <https://nowhere.invalid/>\n[m](mailto:a@b.c)\n',
  });
  await repository.push();
  await idle();
  await look();
  const { id, repositoryId } = await bindingOf();
  await bench.queue.enqueue(bench.store.db, gatherJob, { repositoryId });
  await waitFor(async () => (await countExternal(bench.store.db, id)).get('failing') === 2);
  const findings = await listExternalFindings(bench.store.db, id);
  expect(findings.map(({ url, uses }) => [url, uses.map(({ path, line }) => `${path}:${line}`)])).toEqual([
    ['https://nowhere.invalid/', ['docs/guide.md:3']],
    ['https://nowhere.invalid/a', ['docs/guide.md:3']],
  ]);
});
