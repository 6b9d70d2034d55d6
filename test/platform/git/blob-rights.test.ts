import { eq, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  insertOrganization,
  newId,
  recordFoundBytes,
  recordLostBytes,
  tables,
} from '../../../src/store/index.ts';
import { casesAtLength, testAtLength } from '../../support/describe-at-length.ts';
import type { TestRepo } from '../../support/git-repo.ts';
import { hostOf } from '../../support/hostile-git-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const secretPage = '# Launch plan\n\nThe launch is on 12 May.\n\n## Budget of zebras\n\n[price](price.md)\n';
const secretPicture = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('the picture of the secret product'),
]);
/** What nobody but the victim may see, wherever the API shows it. */
const secrets = /launch is on|zebras|price\.md|picture of the secret/;

describe.each(casesAtLength('fetching with isomorphic-git', ['git'] as const, ['isomorphic-git'] as const))(
  'bytes of another organization, fetched by %s',
  (program) => {
    let platform: TestPlatform;
    let victim: { readonly page: string; readonly picture: string };
    let attacker: { readonly token: string; readonly organizationId: string };
    beforeAll(async () => {
      platform = await startPlatform({ git: { program } });
      const { repo, url } = await platform.createRepo('victim');
      await repo.commit({
        'launch-plan.md': secretPage,
        'secret.png': secretPicture,
        'README.md': '# Home\n',
      });
      expect(await platform.importBranch(await platform.createSpace('Victim'), { url })).toMatchObject({
        state: 'success',
        counts: { pages: 2, files: 1 },
      });
      const oidOf = (path: string) => repo.git(['rev-parse', `main:${path}`]);
      victim = { page: await oidOf('launch-plan.md'), picture: await oidOf('secret.png') };
      const { userId, token } = await createMember(platform, 'Mallory', {});
      const organizationId = newId();
      await insertOrganization(platform.deps.db, {
        id: organizationId,
        title: 'Mallory Inc.',
        adminId: userId,
      });
      attacker = { token, organizationId };
    });
    afterEach(() => {
      platform.git.answer = () => 'git';
    });
    afterAll(() => platform.close());

    const call: TestPlatform['api'] = (method, path, request) =>
      platform.api(method, path, { token: attacker.token, ...request });

    async function createSpace(title: string): Promise<string> {
      const { body } = await call('POST', `/orgs/${attacker.organizationId}/spaces`, { body: { title } });
      return body.id;
    }

    async function importFrom(spaceId: string, url: string, more: object = {}) {
      const body = { url, ref: 'refs/heads/main', ...more };
      const { headers } = await call('POST', `/spaces/${spaceId}/git/import`, { body });
      const id = headers.get('docloom-operation');
      let operation: { id: string; state: string } | undefined;
      return await waitFor(
        async () => {
          const { items } = (await call('GET', `/spaces/${spaceId}/git/operations`)).body;
          operation = items.find((candidate: { id: string }) => candidate.id === id);
          return operation?.state !== 'running' && operation;
        },
        () => `no end of ${JSON.stringify(operation)}; log: ${platform.log.join('\n')}`,
      );
    }

    /** A commit whose tree names blobs that its repository does not have. */
    async function commitWithout(repo: TestRepo, entries: Readonly<Record<string, string>>) {
      const environment = ['-c', 'user.name=Mallory', '-c', 'user.email=mallory@example.com'];
      const own = await repo.git(['hash-object', '-w', '--stdin'], '# Own page\n\n[plan](launch-plan.md)\n');
      const trees: string[] = [];
      const write = async (names: Readonly<Record<string, string>>): Promise<string> => {
        const folders = new Map<string, Record<string, string>>();
        const lines: string[] = [];
        for (const [path, oid] of Object.entries(names)) {
          const [folder = '', ...rest] = path.split('/');
          if (rest.length === 0) lines.push(`100644 blob ${oid}\t${folder}`);
          else folders.set(folder, { ...folders.get(folder), [rest.join('/')]: oid });
        }
        for (const [folder, below] of folders) lines.push(`040000 tree ${await write(below)}\t${folder}`);
        const tree = await repo.git(['mktree', '--missing'], lines.map((line) => `${line}\n`).join(''));
        trees.push(tree);
        return tree;
      };
      const root = await write({ 'README.md': own, 'docs/README.md': own, ...entries });
      const commit = await repo.git([...environment, 'commit-tree', '-m', 'Docs', root]);
      return { commit, objects: [commit, own, ...new Set(trees)] };
    }

    /** Everything that the API shows of a space to the attacker, as one text. */
    async function readAll(spaceId: string, base = `/spaces/${spaceId}`): Promise<string> {
      const seen: unknown[] = [];
      const { body: content } = await call('GET', `${base}/content`);
      seen.push(content);
      const pages = [...content.pages];
      for (let page = pages.pop(); page; page = pages.pop()) {
        pages.push(...page.pages);
        seen.push((await call('GET', `${base}/content/page/${page.id}?format=markdown`)).body);
        seen.push((await call('GET', `${base}/content/page/${page.id}`)).body);
      }
      const { body: files } = await call('GET', `${base}/content/files`);
      for (const file of files.items) {
        const { pathname, search } = new URL(file.downloadURL);
        const headers = { authorization: `Bearer ${attacker.token}` };
        seen.push(await (await fetch(`${platform.url}${pathname}${search}`, { headers })).text());
      }
      seen.push((await call('GET', `/spaces/${spaceId}/links`)).body);
      for (const query of ['launch', 'zebras']) {
        const { body } = await call('GET', `/spaces/${spaceId}/search?query=${query}`);
        seen.push(body.items.map((item: object) => ({ ...item, query: undefined })));
      }
      return JSON.stringify(seen);
    }

    /** Imports what a tree of the attacker names, from a host that has nothing but the tree. */
    async function attack(
      name: string,
      entries: Readonly<Record<string, string>>,
      spaceId: string,
      more = {},
    ) {
      const { repo } = await platform.createRepo(`${name}-objects`);
      const { commit, objects } = await commitWithout(repo, entries);
      platform.git.answer = await hostOf(`/${name}.git`, commit, repo, objects);
      return await importFrom(spaceId, `${platform.git.url}/${name}.git`, more);
    }

    it('do not come with a tree that names a page', async () => {
      const spaceId = await createSpace('Page');
      await attack('page', { 'launch-plan.md': victim.page }, spaceId);
      expect(await readAll(spaceId)).not.toMatch(secrets);
    });

    testAtLength('do not come with a tree that names a picture', async () => {
      const spaceId = await createSpace('Picture');
      await attack('picture', { 'secret.png': victim.picture, 'copy.png': victim.picture }, spaceId);
      expect(await readAll(spaceId)).not.toMatch(secrets);
    });

    it('do not come with a tree that named them outside of the space before', async () => {
      const spaceId = await createSpace('Outside');
      const entries = { 'other/launch-plan.md': victim.page, 'other/secret.png': victim.picture };
      await attack('outside', entries, spaceId, { repoProjectDirectory: 'docs' });
      await attack('inside', entries, spaceId);
      expect(await readAll(spaceId)).not.toMatch(secrets);
    });

    it('do not come with the very tree of the victim', async () => {
      const { repo } = await platform.createRepo('same-tree-objects');
      const files = { 'launch-plan.md': secretPage, 'secret.png': secretPicture, 'README.md': '# Home\n' };
      const commit = await repo.commit(files);
      const spaceId = await createSpace('Same tree');
      const objects = [commit, await repo.git(['rev-parse', 'main^{tree}'])];
      platform.git.answer = await hostOf('/same-tree.git', commit, repo, objects);
      await importFrom(spaceId, `${platform.git.url}/same-tree.git`);
      expect(await readAll(spaceId)).not.toMatch(secrets);
      // With one of the blobs there is nothing but what that one says.
      const home = await repo.git(['rev-parse', 'main:README.md']);
      platform.git.answer = await hostOf('/same-tree-home.git', commit, repo, [...objects, home]);
      await importFrom(spaceId, `${platform.git.url}/same-tree-home.git`, { force: true });
      expect(await readAll(spaceId)).not.toMatch(secrets);
    });

    it('do not come by a change request that moves what a tree names', async () => {
      const spaceId = await createSpace('Moves');
      // A file that is neither a page nor shown as a file is not fetched by an import.
      const entries = { 'docs/.hidden/plan': victim.page, 'docs/.hidden/product': victim.picture };
      const ended = await attack('moves', entries, spaceId, { repoProjectDirectory: 'docs' });
      const { status, body } = await call('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
      expect([ended.state, status], JSON.stringify(ended)).toEqual(['success', 201]);
      const base = `/spaces/${spaceId}/change-requests/${body.id}`;
      const moved = await call('POST', `${base}/content`, {
        body: {
          changes: [
            { type: 'move', from: 'docs/.hidden/plan', to: 'docs/launch-plan.md' },
            { type: 'move', from: 'docs/.hidden/product', to: 'docs/secret.png' },
          ],
        },
      });
      expect(moved.status).toBeLessThan(500);
      expect(await readAll(spaceId, base)).not.toMatch(secrets);
      await call('POST', `${base}/merge`, { body: {} });
      expect(await readAll(spaceId)).not.toMatch(secrets);
    });

    it('do not come where they are lost, and fetched again for their own space', async () => {
      const { db } = platform.deps;
      const oids = [victim.page, victim.picture];
      const received = await db.select().from(tables.spaceBlobs).where(inArray(tables.spaceBlobs.oid, oids));
      expect(received.length).toBeGreaterThanOrEqual(2);
      const spaceId = await createSpace('Lost');
      const entries = {
        'SUMMARY.md': victim.page,
        'launch-plan.md': victim.page,
        'secret.png': victim.picture,
      };
      await attack('lost', entries, spaceId);
      for (const blob of received) await recordLostBytes(db, blob.spaceId, blob.oid);
      for (const oid of oids) expect(await recordLostBytes(db, spaceId, oid)).toBeNull();
      await attack('lost-again', entries, spaceId, { force: true });
      expect(await readAll(spaceId)).not.toMatch(secrets);
      const own = await db.select().from(tables.spaceBlobs).where(eq(tables.spaceBlobs.spaceId, spaceId));
      expect(own.filter(({ oid }) => oids.includes(oid))).toEqual([]);
      for (const blob of received) await recordFoundBytes(db, blob.spaceId, [blob.oid]);
    });

    const own = ['launch is on', 'zebras', 'picture of the secret'];

    it('are read where they were fetched, too, and by a copy of that space', async () => {
      const { repo, url } = await platform.createRepo('copy');
      await repo.commit({ 'launch-plan.md': secretPage, 'secret.png': secretPicture });
      const spaceId = await createSpace('Own copy');
      expect((await importFrom(spaceId, url)).state).toBe('success');
      const shown = await readAll(spaceId);
      for (const text of own) expect(shown).toContain(text);
      const { body } = await call('POST', `/spaces/${spaceId}/duplicate`, { body: {} });
      const copied = await readAll(body.id);
      for (const text of own) expect(copied).toContain(text);
    });

    it('that a release which recorded none had imported stay readable', async () => {
      const { repo, url } = await platform.createRepo('earlier');
      await repo.commit({
        'launch-plan.md': secretPage,
        'secret.png': secretPicture,
        'README.md': '# Home\n',
      });
      const spaceId = await createSpace('Earlier');
      await importFrom(spaceId, url);
      const { db } = platform.deps;
      await db.delete(tables.spaceBlobs).where(eq(tables.spaceBlobs.spaceId, spaceId));
      expect(await readAll(spaceId)).not.toContain('picture of the secret');
      await db
        .update(tables.revisions)
        .set({ blobsRecorded: false })
        .where(eq(tables.revisions.spaceId, spaceId));
      const shown = await readAll(spaceId);
      for (const text of own) expect(shown).toContain(text);
      await repo.commit({ 'README.md': '# Home\n\nMore.\n' });
      expect((await importFrom(spaceId, url)).state).toBe('success');
      const later = await readAll(spaceId);
      for (const text of [...own, 'More.']) expect(later).toContain(text);
    });
  },
);
