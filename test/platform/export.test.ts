import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAtLength } from '../support/describe-at-length.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ git: { program: 'git' } });
});
afterAll(() => platform.close());

type Repo = Awaited<ReturnType<TestPlatform['createRepo']>>['repo'];

let samples = 0;
async function sample(files: Parameters<Repo['commit']>[0]) {
  samples += 1;
  const { repo, url } = await platform.createRepo(`export-${samples}`);
  await repo.commit(files);
  const spaceId = await platform.createSpace();
  const request = { url, repoProjectDirectory: 'docs' };
  const imported = await platform.importBranch(spaceId, request);
  expect(imported.state).toBe('success');

  return {
    repo,
    spaceId,
    request,
    async edit(...changes: object[]) {
      const made = await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
      const place = `/spaces/${spaceId}/change-requests/${made.body.id}`;
      expect((await platform.api('POST', `${place}/content`, { body: { changes } })).status).toBe(200);
      expect((await platform.api('POST', `${place}/merge`)).status).toBe(200);
    },
    async export(more: object = {}) {
      const asked = { ref: 'refs/heads/main', commitMessage: 'Better words', ...request, ...more };
      const started = await platform.api('POST', `/spaces/${spaceId}/git/export`, { body: asked });
      expect(started.status).toBe(204);
      const id = started.headers.get('docloom-operation');
      return await platform.waitForEnd(spaceId, (one) => one.id === id && one.direction === 'export');
    },
    /** `git diff --name-status` of the branch's last commit. */
    async lastDiff(): Promise<string[]> {
      return (await repo.git(['diff-tree', '-r', '--no-commit-id', '--name-status', 'main'])).split('\n');
    },
  };
}

const docs = {
  'docs/README.md': '# Home\r\n\r\n[Guide](guide.md)\r\n',
  'docs/guide.md': '\uFEFF# Guide  \n\n\n* odd   spacing\n',
  'docs/dot.png': Buffer.from([137, 80, 78, 71, 0, 255]),
  'src/code.c': 'int x;\n',
};

describe('an export', () => {
  it('is one commit with only the edits, and importing it changes nothing', async () => {
    const { repo, spaceId, request, edit, export: exportSpace, lastDiff } = await sample(docs);
    await edit(
      { type: 'write', path: 'docs/guide.md', text: '# Guide\n\nBetter.\n' },
      { type: 'write', path: 'docs/new.md', text: '# New\n' },
    );
    const ended = await exportSpace({
      author: { name: 'Docs Bot', email: 'bot@example.com' },
      repoCommitURL: 'https://forge.example/o/r/commit/',
    });
    expect(ended).toMatchObject({ state: 'success', unchanged: false });
    const tip = await repo.git(['rev-parse', 'main']);
    expect(ended.commit).toBe(tip);
    expect(await lastDiff()).toEqual(['M\tdocs/guide.md', 'A\tdocs/new.md']);
    expect(await repo.git(['show', '-s', '--format=%an <%ae> %cn %s', 'main'])).toBe(
      'Docs Bot <bot@example.com> Docs Bot Better words',
    );
    const content = await platform.api('GET', `/spaces/${spaceId}/content`);
    expect(content.body.git).toMatchObject({
      oid: tip,
      createdByService: true,
      url: `https://forge.example/o/r/commit/${tip}`,
      message: 'Better words',
    });

    expect(await exportSpace()).toMatchObject({ state: 'success', unchanged: true, commit: tip });
    const again = await platform.importBranch(spaceId, request);
    expect(again).toMatchObject({ state: 'success', unchanged: true, revision: content.body.id });
    expect((await platform.api('GET', `/spaces/${spaceId}/content`)).body.git.createdByService).toBe(true);
    await repo.commit({ 'src/code.c': 'int y;\n' });
    await platform.importBranch(spaceId, request);
    expect((await platform.api('GET', `/spaces/${spaceId}/content`)).body.git.createdByService).toBe(false);
  });

  testAtLength('moves and deletes files, and does not change images', async () => {
    const { repo, edit, export: exportSpace, lastDiff } = await sample(docs);
    await edit(
      { type: 'move', from: 'docs/dot.png', to: 'docs/img/dot.png' },
      { type: 'delete', path: 'docs/guide.md' },
      { type: 'upload', path: 'docs/other.bin', base64: Buffer.from([0, 1, 255]).toString('base64') },
    );
    expect(await exportSpace()).toMatchObject({ state: 'success' });
    expect(await lastDiff()).toEqual([
      'D\tdocs/dot.png',
      'D\tdocs/guide.md',
      'A\tdocs/img/dot.png',
      'A\tdocs/other.bin',
    ]);
    expect(await repo.git(['fsck', '--strict'])).toBe('');
  });

  testAtLength('preserves what others pushed meanwhile, and imports it into the space', async () => {
    const { repo, spaceId, edit, export: exportSpace, lastDiff } = await sample(docs);
    await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
    const theirs = await repo.commit({ 'docs/README.md': '# Home\n\nThere.\n' });
    const ended = await exportSpace();
    expect(ended).toMatchObject({ state: 'success', unchanged: false });
    expect(await repo.git(['rev-parse', 'main^'])).toBe(theirs);
    expect(await lastDiff()).toEqual(['M\tdocs/guide.md']);
    const imported = await platform.waitForEnd(
      spaceId,
      (one) => one.direction === 'import' && one.commit === ended.commit && one.state !== 'running',
    );
    expect(imported).toMatchObject({ state: 'success', unchanged: false });
    const markdown = await Promise.all(
      (await platform.api('GET', `/spaces/${spaceId}/content/pages`)).body.pages.map(
        async ({ id }: { id: string }) =>
          (await platform.api('GET', `/spaces/${spaceId}/content/page/${id}?format=markdown`)).body.markdown,
      ),
    );
    expect(markdown.join()).toContain('Here.');
    expect(markdown.join()).toContain('There.');
  });

  it('fails with the files that both sides changed, and changes neither; force uses the space’s', async () => {
    const { repo, edit, export: exportSpace, lastDiff } = await sample(docs);
    await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
    const theirs = await repo.commit({ 'docs/guide.md': '# Guide\n\nThere.\n' });
    expect(await exportSpace()).toMatchObject({
      state: 'failure',
      error: { code: 'conflict', paths: ['docs/guide.md'] },
    });
    expect(await repo.git(['rev-parse', 'main'])).toBe(theirs);
    expect(await exportSpace({ force: true })).toMatchObject({ state: 'success' });
    expect(await repo.git(['rev-parse', 'main^'])).toBe(theirs);
    expect(await lastDiff()).toEqual(['M\tdocs/guide.md']);
  });

  testAtLength(
    'creates another branch, and the edits still count as not exported to the space’s own',
    async () => {
      const { repo, edit, export: exportSpace, spaceId, request } = await sample(docs);
      const tip = await repo.git(['rev-parse', 'main']);
      await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
      const aside = await exportSpace({ ref: 'refs/heads/docloom/edits' });
      expect(aside).toMatchObject({ state: 'success' });
      expect(await repo.git(['rev-parse', 'docloom/edits^'])).toBe(tip);
      expect(await repo.git(['diff', '--name-only', 'main', 'docloom/edits'])).toBe('docs/guide.md');
      await repo.commit({ 'docs/README.md': '# Home\n\nThere.\n' });
      expect(await platform.importBranch(spaceId, request)).toMatchObject({
        state: 'success',
        unchanged: false,
      });
      expect(await exportSpace()).toMatchObject({ state: 'success', unchanged: false });
      expect(await repo.git(['show', 'main:docs/guide.md'])).toContain('Here.');
    },
  );

  testAtLength('updates another branch, and preserves what reviewers changed there', async () => {
    const { repo, edit, export: exportSpace, spaceId } = await sample(docs);
    const ref = 'refs/heads/docloom/review';
    const isEdited = async () =>
      (await platform.api('GET', `/spaces/${spaceId}/git/info`)).body.hasEdits as boolean;
    expect(await isEdited()).toBe(false);
    await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
    expect(await exportSpace({ ref })).toMatchObject({ state: 'success' });
    await repo.commit({ 'docs/README.md': '# Home, reviewed\n' }, { branch: 'docloom/review' });
    await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere and there.\n' });
    expect(await exportSpace({ ref })).toMatchObject({ state: 'success', unchanged: false });
    expect(await repo.git(['show', 'docloom/review:docs/guide.md'])).toContain('Here and there.');
    expect(await repo.git(['show', 'docloom/review:docs/README.md'])).toContain('reviewed');
    expect(await exportSpace({ ref })).toMatchObject({ state: 'success', unchanged: true });
    expect(await isEdited()).toBe(true);
  });

  it('connects to no private network, directly or by a redirect', async () => {
    const { repo, edit, export: exportSpace } = await sample(docs);
    const tip = await repo.git(['rev-parse', 'main']);
    await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
    const refused = { state: 'failure', error: { code: 'address-refused' } };
    for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '127.0.0.1']) {
      expect(await exportSpace({ url: `https://${host}/a.git` })).toMatchObject(refused);
    }
    const asked = platform.git.requests.length;
    platform.git.answer = ({ url }) => ({
      status: 302,
      headers: { location: platform.git.url.replace('127.0.0.1', 'localhost') + url },
    });
    expect(await exportSpace()).toMatchObject(refused);
    // Also where only the push is led elsewhere.
    platform.git.answer = ({ url }) =>
      url.includes('receive-pack') ? { status: 307, headers: { location: `http://10.0.0.1${url}` } } : 'git';
    expect(await exportSpace()).toMatchObject(refused);
    platform.git.answer = () => 'git';
    expect(platform.git.requests.length).toBeGreaterThan(asked);
    expect(await repo.git(['rev-parse', 'main'])).toBe(tip);
  });

  it('of a space that never had a repository creates the branch', async () => {
    const { repo, url } = await platform.createRepo('from-nothing');
    const spaceId = await platform.createSpace();
    const made = await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
    const place = `/spaces/${spaceId}/change-requests/${made.body.id}`;
    const changes = [{ type: 'write', path: 'README.md', text: '# Home\n' }];
    await platform.api('POST', `${place}/content`, { body: { changes } });
    await platform.api('POST', `${place}/merge`);
    const body = { url, ref: 'refs/heads/main', commitMessage: 'Begin', repoProjectDirectory: 'handbook' };
    await platform.api('POST', `/spaces/${spaceId}/git/export`, { body });
    expect(await platform.waitForEnd(spaceId)).toMatchObject({ state: 'success', direction: 'export' });
    expect(await repo.git(['ls-tree', '-r', '--name-only', 'main'])).toBe('handbook/README.md');
    const again = await platform.importBranch(spaceId, { url, repoProjectDirectory: 'handbook' });
    expect(again).toMatchObject({ state: 'success' });
  });

  it('reports in the host’s words why it was rejected', async () => {
    const { repo, edit, export: exportSpace } = await sample(docs);
    await edit({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
    await writeFile(join(repo.dir, 'hooks/update'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(await exportSpace()).toMatchObject({ state: 'failure', error: { code: 'push-refused' } });
    await rm(join(repo.dir, 'hooks/update'));
    expect(await exportSpace()).toMatchObject({ state: 'success' });
  });
});
