/** Killed with SIGKILL at the worst moments, the server finishes the work once after its restart. */
import { afterAll, describe, expect, it } from 'vitest';
import { waitForStatuses } from '../../src/cli/demo/observe.ts';
import { operations } from '../../src/client/index.ts';
import { prepareClusterLocation } from '../../src/store/embedded/cluster-location.ts';
import { readPostmaster } from '../../src/store/embedded/postmaster.ts';
import { openAi, type StandIn, startTranslator } from '../platform/translations/stand-in-translator.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type Author, createAuthor } from './support/author.ts';
import { findSpace, listOperations, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';

describeAtLength('a server that is killed', false, () => {
  let translator: StandIn;
  const stage = useStage(async () => {
    translator = await startTranslator(openAi, 'sk-of-nobody');
    return {
      SYNC_SECONDS: '2',
      OPENAI_URL: `${translator.url}/v1`,
      OPENAI_MODEL: 'm',
      OPENAI_API_KEY: translator.key,
      TRANSLATION_TIMEOUT_SECONDS: '5',
    };
  });
  afterAll(() => translator?.close());
  const patient = { interval: 50, timeout: PATIENCE_MS };

  async function killAndRestart(): Promise<void> {
    await stage().docloom().kill();
    await stage().restart();
  }

  /** Kills the server when GitHub has such a call, and before GitHub does what it asks. */
  async function killDuring(
    method: 'GET' | 'POST',
    path: RegExp,
    say: () => Promise<unknown>,
  ): Promise<void> {
    let killed: Promise<void> | undefined;
    const fault = stage().forge.faults.set({
      on: 'api',
      kind: 'lost-answer',
      method,
      path,
      times: 1,
      match() {
        killed ??= stage().docloom().kill();
        return true;
      },
    });
    await say();
    await expect.poll(() => fault.struck, patient).toBe(1);
    await killed;
    await stage().restart();
  }

  async function expectDoneOnce(title: string, fullName: string, oid: string): Promise<void> {
    const platform = await openPlatform(stage());
    const space = await findSpace(platform, title);
    const done = await listOperations(platform, space.id);
    expect(done.map(({ state, commit }) => ({ state, commit }))).toEqual([{ state: 'success', commit: oid }]);
    const content = await platform.client.call(operations.getContent, { params: { spaceId: space.id } });
    expect(content).toMatchObject({ id: done[0]?.revision, git: { oid } });
    const final = stage()
      .forge.statuses(fullName, oid)
      .filter(({ state }) => state !== 'pending');
    expect(final.map(({ state }) => state)).toEqual(['success']);
  }

  it('right after the 202', async () => {
    const author = await createAuthor(stage(), { owner: 'early', repo: 'early-docs' });
    const oid = await author.publish({ 'README.md': '# Early\n', 'more.md': '# More\n' });
    await expect
      .poll(
        () =>
          stage()
            .forge.deliveries.find((one) => one.event === 'push' && one.body.includes(oid))
            ?.attempts.at(-1)?.statusCode,
        { interval: 1, timeout: PATIENCE_MS },
      )
      .toBe(202);
    await killAndRestart();
    await waitForStatuses(author.octokit, author, oid, 1);
    await expectDoneOnce('early-docs', author.fullName, oid);
  });

  it('in the middle of an import', async () => {
    const author = await createAuthor(stage(), { owner: 'midway', repo: 'midway-docs' });
    // The import hangs in its fetch, so the moment of the kill is certain.
    const slow = stage().forge.faults.set({
      on: 'git',
      kind: 'slow',
      slowMs: 60_000,
      path: /midway-docs\.git\/git-upload-pack/,
    });
    // Declared spaces need no look into the repository: the import is the first to fetch.
    const oid = await author.publish({
      '.github/docloom.yml': 'spaces:\n  - directory: .\n    title: midway-docs\n',
      'README.md': '# Midway\n',
      'more.md': '# More\n',
    });
    const platform = await openPlatform(stage());
    await expect
      .poll(
        async () => {
          const space = await findSpace(platform, 'midway-docs').catch(() => null);
          return space && (await listOperations(platform, space.id))[0]?.state;
        },
        { interval: 50, timeout: PATIENCE_MS },
      )
      .toBe('running');
    await expect.poll(() => slow.struck, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    slow.clear();
    await killAndRestart();
    await waitForStatuses(author.octokit, author, oid, 1);
    await expectDoneOnce('midway-docs', author.fullName, oid);
  });

  /** A repository whose docs are live in a space that exports, with one edit on the platform. */
  async function editOnPlatform(author: Author, mode: 'direct' | 'pull-request', exports = '') {
    const title = `${author.repo}-space`;
    const oid = await author.publish({
      '.github/docloom.yml': `spaces:\n  - directory: docs\n    title: ${title}\n    direction: both\nexports:\n  mode: ${mode}\n${exports}`,
      'docs/README.md': '# Home\n',
    });
    await waitForStatuses(author.octokit, author, oid, 1);
    const platform = await openPlatform(stage());
    const { client } = platform;
    const { id: spaceId } = await findSpace(platform, title);
    const { id: changeRequestId } = await client.call(operations.createChangeRequest, {
      params: { spaceId },
      body: { subject: 'An edit' },
    });
    const params = { spaceId, changeRequestId };
    const changes = [{ type: 'write' as const, path: 'docs/README.md', text: '# Home\n\nEdited.\n' }];
    await client.call(operations.changeContent, { params, body: { changes } });
    await client.call(operations.mergeChangeRequest, { params });
    return {
      oid,
      client,
      params,
      /** Waits until space and branch say the same, and answers what was done for that, the newest first. */
      async settled() {
        const space = () => client.call(operations.getSpace, { params: { spaceId } });
        await expect.poll(async () => (await space()).gitSync?.hasEdits, patient).toBe(false);
        const done = () => listOperations(platform, spaceId);
        await expect
          .poll(async () => (await done()).some(({ state }) => state === 'running'), patient)
          .toBe(false);
        return await done();
      },
      /** How the space's last export ended, as its page says. */
      async exported() {
        const answer = await fetch(`${stage().url}/status.json`, {
          headers: { authorization: `Bearer ${platform.token}` },
        });
        const { items } = (await answer.json()) as { items: readonly StatusItem[] };
        const found = items.flatMap(({ spaces }) => spaces).find((one) => one.spaceId === spaceId);
        return found?.exported ?? null;
      },
    };
  }

  interface StatusItem {
    readonly spaces: readonly {
      readonly spaceId: string;
      readonly exported: {
        readonly outcome: string;
        readonly pull: { readonly number: number } | null;
      } | null;
    }[];
  }

  /** The operations that changed the space or the branch. */
  const changing = (done: Awaited<ReturnType<typeof listOperations>>) =>
    done
      .filter(({ unchanged, standalone }) => !unchanged && !standalone)
      .map(({ direction, commit }) => [direction, commit]);

  const tipOf = (author: Author) => stage().forge.refs(author.fullName)['refs/heads/main'];

  describe('with exports, translations and specifications', () => {
    it('between the push of an export and its note', async () => {
      const author = await createAuthor(stage(), { owner: 'pushing', repo: 'pushing-docs' });
      const { oid, settled, exported } = await editOnPlatform(author, 'direct');
      await expect.poll(() => tipOf(author) !== oid, { ...patient, interval: 1 }).toBe(true);
      await killAndRestart();
      const tip = tipOf(author) ?? '';
      await waitForStatuses(author.octokit, author, tip, 1);
      expect(changing(await settled())).toEqual([
        ['export', tip],
        ['import', oid],
      ]);
      await expect.poll(async () => (await exported())?.outcome, patient).toMatch(/^(pushed|same)$/);
      await author.git('fetch', '--quiet', 'origin');
      expect((await author.git('rev-list', 'origin/main')).trim().split('\n')).toEqual([tip, oid]);
    });

    it('between the making of an export’s pull request and its note', async () => {
      const author = await createAuthor(stage(), { owner: 'asking', repo: 'asking-docs' });
      const { oid, settled, exported } = await editOnPlatform(author, 'pull-request');
      const pulls = () => stage().forge.pulls(author.fullName);
      await expect.poll(() => pulls().length, { ...patient, interval: 1 }).toBe(1);
      await killAndRestart();
      await expect.poll(exported, patient).toMatchObject({ outcome: 'proposed', pull: { number: 1 } });
      expect(pulls()).toMatchObject([{ number: 1, state: 'open' }]);
      await author.octokit.pulls.merge({ ...author, pull_number: 1 });
      const tip = tipOf(author) ?? '';
      await waitForStatuses(author.octokit, author, tip, 1);
      expect(changing(await settled())).toEqual([
        ['export', pulls()[0]?.headSha],
        ['import', oid],
      ]);
      await expect.poll(async () => (await exported())?.outcome, patient).toBe('same');
      expect(pulls()).toHaveLength(1);
      await expect
        .poll(() => Object.keys(stage().forge.refs(author.fullName)), patient)
        .toEqual(['refs/heads/main']);
    });

    it('between the mirroring of a comment to GitHub and its note', async () => {
      const author = await createAuthor(stage(), { owner: 'talking', repo: 'talking-docs' });
      const { client, params } = await editOnPlatform(author, 'pull-request', '  mirror-comments: true\n');
      await expect.poll(() => stage().forge.pulls(author.fullName).length, patient).toBe(1);
      const copies = async () => {
        const at = { ...author, per_page: 100 };
        const [reviews, conversation] = await Promise.all([
          author.octokit.pulls.listReviewComments({ ...at, pull_number: 1 }),
          author.octokit.issues.listComments({ ...at, issue_number: 1 }),
        ]);
        return [...reviews.data, ...conversation.data].map(({ body }) => body ?? '');
      };
      const copiesOf = async (words: string) =>
        (await copies()).filter((body) => body.includes(words)).length;
      const said = { commentId: '' };
      await killDuring('POST', /\/(?:pulls|issues)\/1\/comments$/, async () => {
        const body = { body: { markdown: 'Said before the first kill.' } };
        said.commentId = (await client.call(operations.createChangeRequestComment, { params, body })).id;
      });
      expect(await copiesOf('Said before the first kill.')).toBe(1);
      const thread = () =>
        client.call(operations.getChangeRequestComment, { params: { ...params, ...said } });
      await expect.poll(async () => (await thread()).mirror?.url, patient).toContain('/pull/1');

      await killDuring('POST', /\/(?:pulls|issues)\/1\/comments(?:\/\d+\/replies)?$/, async () => {
        const body = { body: { markdown: 'Said before the second kill.' } };
        await client.call(operations.createChangeRequestCommentReply, {
          params: { ...params, ...said },
          body,
        });
      });
      const replies = () =>
        client.call(operations.listChangeRequestCommentReplies, { params: { ...params, ...said } });
      await expect.poll(async () => (await replies()).items[0]?.mirror?.url, patient).toContain('/pull/1');
      expect(await copies()).toHaveLength(2);
      expect(await copiesOf('Said before the first kill.')).toBeGreaterThan(0);
      expect(await copiesOf('Said before the second kill.')).toBe(1);
      // What GitHub has is not taken for something that others said there.
      const { items } = await client.call(operations.listChangeRequestComments, { params });
      expect(items.map(({ id }) => id)).toEqual([said.commentId]);
      expect((await replies()).items).toHaveLength(1);
    });

    it('while it copies comments from GitHub, and between a copy and its note', async () => {
      const author = await createAuthor(stage(), { owner: 'hearing', repo: 'hearing-docs' });
      const { client, params } = await editOnPlatform(author, 'pull-request', '  mirror-comments: true\n');
      const pulls = () => stage().forge.pulls(author.fullName);
      await expect.poll(() => pulls().length, patient).toBe(1);
      const said: string[] = [];
      const sayThere = async (body: string) => {
        await author.octokit.pulls.createReviewComment({
          ...{ ...author, pull_number: 1, commit_id: pulls()[0]?.headSha ?? '', body },
          ...{ path: 'docs/README.md', line: 3, side: 'RIGHT' },
        });
        said.push(body);
      };
      const copied = async () => {
        const { items } = await client.call(operations.listChangeRequestComments, {
          params,
          query: { format: 'markdown' },
        });
        return items.map(({ body }) => body.markdown ?? '').toReversed();
      };
      await killDuring('GET', /\/pulls\/1\/comments$/, () => sayThere('Heard before the first kill.'));
      await expect.poll(copied, patient).toEqual(said);
      await sayThere('Heard before the second kill.');
      await expect.poll(copied, { ...patient, interval: 1 }).toEqual(said);
      await killAndRestart();
      // What comes later is copied after everything before it was compared again.
      await sayThere('Heard after both.');
      await expect.poll(async () => (await copied()).at(-1), patient).toBe('Heard after both.');
      expect(await copied()).toEqual(said);
      const { data } = await author.octokit.pulls.listReviewComments({ ...author, pull_number: 1 });
      expect(data.map(({ body }) => body)).toEqual(said);
    });

    it('in the middle of a translation, and once more its database alone', async () => {
      const author = await createAuthor(stage(), { owner: 'speaking', repo: 'speaking-docs' });
      const texts = Array.from({ length: 150 }, (_, at) => `Text ${at} of a page.`);
      const oid = await author.publish({ 'README.md': `${texts.join('\n\n')}\n` });
      await waitForStatuses(author.octokit, author, oid, 1);
      const platform = await openPlatform(stage());
      const { client, organizationId } = platform;
      const { id: space } = await findSpace(platform, 'speaking-docs');
      const { id: translationId } = await client.call(operations.createTranslation, {
        params: { organizationId },
        body: { source: { space, language: 'en' }, language: 'de', provider: 'openai' },
      });
      const params = { organizationId, translationId };
      const read = () => client.call(operations.getTranslation, { params });
      // Of four requests one is answered, and then of three.
      translator.faults.push('answer', 'hang', 'hang', 'hang');
      await client.call(operations.runTranslation, { params });
      await expect.poll(() => translator.arrivals.length, patient).toBe(4);
      await expect.poll(async () => (await read()).stats.latestWords, patient).toBeGreaterThan(0);
      const first = (await read()).stats.latestWords;
      translator.faults.push('answer', 'hang', 'hang');
      await killAndRestart();
      await expect.poll(async () => (await read()).stats.latestWords, patient).toBeGreaterThan(first);
      await expect.poll(() => translator.arrivals.length, patient).toBe(7);
      const database = readPostmaster(prepareClusterLocation(stage().env['DATA_DIR'] ?? '').data);
      if (database === undefined) throw new Error('The stage has no database of its own.');
      process.kill(database.pid, 'SIGKILL');

      await expect
        .poll(async () => (await read().catch(() => null))?.status, patient)
        .toMatch(/^(completed|failed)$/);
      expect(await read()).toMatchObject({
        status: 'completed',
        problems: [],
        stats: { runs: 1, untranslated: 0 },
      });
      // Nothing that was answered was asked for again.
      expect(translator.answered.toSorted()).toEqual(texts.toSorted());
    });

    it('while a specification is given to the platform', async () => {
      const author = await createAuthor(stage(), { owner: 'pets', repo: 'pets-docs' });
      const oid = await author.publish({
        '.github/docloom.yml': 'spaces:\n  - directory: docs\nopenapi:\n  - name: pets\n    file: api.yaml\n',
        'docs/README.md': '# Home\n',
        'api.yaml': "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n",
      });
      const told = () =>
        stage()
          .forge.statuses(author.fullName, oid)
          .filter(({ context }) => context === 'docloom/openapi: pets')
          .map(({ state }) => state);
      await expect.poll(told, { ...patient, interval: 1 }).toContain('pending');
      await killAndRestart();
      await expect.poll(() => told().at(-1), patient).toBe('success');
      expect(told().filter((state) => state !== 'pending')).toEqual(['success']);
      const { client, organizationId } = await openPlatform(stage());
      const params = { organizationId, specSlug: 'pets' };
      const { items } = await client.call(operations.listOpenAPISpecVersions, { params });
      expect(items).toHaveLength(1);
    });
  });
});
