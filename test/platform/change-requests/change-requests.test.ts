import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageResource } from '../../../src/contract/index.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const docs = {
  'docs/README.md': '# Home\n\n[Guide](guide.md#set-up)\n',
  'docs/guide.md': '# Guide\n\n## Set up\n\n[Home](README.md)\n',
  'src/code.c': 'int x;\n',
};

interface Sample {
  readonly spaceId: string;
  readonly repo: Awaited<ReturnType<TestPlatform['createRepo']>>['repo'];
  readonly request: Record<string, unknown>;
  /** Begins a change request and answers the path of it. */
  propose(...changes: object[]): Promise<string>;
  pageId(title: string, place?: string): Promise<string>;
}

let samples = 0;
let shared: Sample | undefined;
async function sample(): Promise<Sample> {
  samples += 1;
  const { repo, url } = await platform.createRepo(`sample-${samples}`);
  await repo.commit(docs);
  const spaceId = await platform.createSpace();
  const request = { url, repoProjectDirectory: 'docs' };
  await platform.importBranch(spaceId, request);
  return {
    spaceId,
    repo,
    request,
    async propose(...changes) {
      const made = await platform.api('POST', `/spaces/${spaceId}/change-requests`, {
        body: { subject: 'Better words' },
      });
      expect(made.status).toBe(201);
      const place = `/spaces/${spaceId}/change-requests/${made.body.id}`;
      if (changes.length > 0) {
        const changed = await platform.api('POST', `${place}/content`, { body: { changes } });
        expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      }
      return place;
    },
    async pageId(title, place = `/spaces/${spaceId}`) {
      const { body } = await platform.api('GET', `${place}/content/pages`);
      const all = (pages: readonly PageResource[]): PageResource[] =>
        pages.flatMap((page) => [page, ...all(page.pages)]);
      return all(body.pages).find((page) => page.title === title)?.id ?? '';
    },
  };
}

describe('a change request', () => {
  it('proposes content that readers do not see until it is merged', async () => {
    const { spaceId, propose, pageId } = await sample();
    const guide = await pageId('Guide');
    const place = await propose({
      type: 'page',
      page: guide,
      markdown: '# Guide\n\n## Set it up\n\n[Home](README.md)\n',
    });

    const read = await platform.api('GET', place);
    expect(read.body).toMatchObject({ number: 1, status: 'draft', outdated: false, subject: 'Better words' });
    expect((await platform.api('GET', `/spaces/${spaceId}/change-requests/1`)).body).toEqual(read.body);
    const page = await platform.api('GET', `${place}/content/page/${guide}?format=markdown`);
    expect(page.body.markdown).toContain('## Set it up');
    const now = await platform.api('GET', `/spaces/${spaceId}/content/page/${guide}?format=markdown`);
    expect(now.body.markdown).toContain('## Set up');
    const home = await pageId('Home');
    const links = await platform.api('GET', `${place}/content/page/${home}/links`);
    expect(links.body).toMatchObject({
      stats: { total: 1, broken: { total: 1, changeRequest: 1 } },
      items: [
        {
          status: 'broken',
          locationReferences: [
            { versionContext: { type: 'changeRequest', changeRequest: { id: read.body.id } } },
          ],
        },
      ],
    });

    const merged = await platform.api('POST', `${place}/merge`);
    expect(merged.body).toMatchObject({
      result: 'merge',
      revision: merged.body.mergedRevision,
      status: 'merged',
      mergedBy: { object: 'user' },
    });
    const space = (await platform.api('GET', `/spaces/${spaceId}`)).body;
    expect(space).toMatchObject({
      revision: merged.body.mergedRevision,
      changeRequests: 1,
      changeRequestsOpen: 0,
      changeRequestsDraft: 0,
    });
    const after = await platform.api('GET', `/spaces/${spaceId}/content/page/${guide}?format=markdown`);
    expect(after.body.markdown).toContain('## Set it up');
    const revision = await platform.api('GET', `/spaces/${spaceId}/content`);
    expect(revision.body).toMatchObject({
      type: 'merge',
      mergedFrom: { object: 'change-request', id: read.body.id, status: 'merged' },
    });
    expect(revision.body.git).toBeUndefined();
    expect((await platform.api('POST', `${place}/merge`)).status).toBe(409);
    expect((await platform.api('PATCH', place, { body: { status: 'open' } })).status).toBe(409);
  });

  it('writes, uploads, moves and deletes files, and pages keep their ids', async () => {
    const { propose, pageId } = await sample();
    const guide = await pageId('Guide');
    const place = await propose(
      { type: 'move', from: 'docs/guide.md', to: 'docs/how/guide.md' },
      { type: 'write', path: 'docs/how/new.md', text: '# New\n' },
      { type: 'upload', path: 'docs/dot.png', base64: Buffer.from([0, 1, 2, 255]).toString('base64') },
      { type: 'write', path: 'docs/gone.md', text: '# Gone\n' },
      { type: 'delete', path: 'docs/gone.md' },
    );
    expect(await pageId('Guide', place)).toBe(guide);
    const fresh = await pageId('New', place);
    expect(fresh).not.toBe('');
    expect(await pageId('Gone', place)).toBe('');
    const files = await platform.api('GET', `${place}/content/files`);
    expect(files.body).toMatchObject({ count: 1, items: [{ name: 'dot.png', size: 4 }] });
    const bytes = await fetch(
      (files.body.items[0].downloadURL as string).replace('http://docs.example', platform.url),
      { headers: { authorization: `Bearer ${platform.token}` } },
    );
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(new Uint8Array([0, 1, 2, 255]));

    const edit = async (...changes: object[]) => {
      const { status, body } = await platform.api('POST', `${place}/content`, { body: { changes } });
      expect(status, JSON.stringify(body)).toBe(200);
    };
    const ids = async (at?: string) => [
      await pageId('Guide', at),
      await pageId('Next', at),
      await pageId('New', at),
    ];
    // Written anew where it stood, and moved once more: each stays the page that it was.
    await edit(
      { type: 'page', page: guide, markdown: '# Guide\n\nNothing is as it was.\n' },
      { type: 'write', path: 'docs/guide.md', text: '# Next\n' },
    );
    const [, next] = await ids(place);
    expect(next).not.toBe('');
    expect(await ids(place)).toEqual([guide, next, fresh]);
    await edit({ type: 'move', from: 'docs/how/guide.md', to: 'docs/why/guide.md' });
    await edit({ type: 'write', path: 'docs/how/new.md', text: '# New\n\nMore.\n' });
    expect(await ids(place)).toEqual([guide, next, fresh]);
    expect(await pageId('Guide')).toBe(guide);
    expect((await platform.api('POST', `${place}/merge`)).status).toBe(200);
    expect(await ids()).toEqual([guide, next, fresh]);
  });

  it('preserves what changed in the space meanwhile, and names the files that both changed', async () => {
    const { spaceId, propose, pageId } = await sample();
    const first = await propose({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nOne.\n' });
    const second = await propose({ type: 'write', path: 'docs/README.md', text: '# Home\n\nTwo.\n' });
    const third = await propose({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nThree.\n' });
    expect((await platform.api('POST', `${first}/merge`)).status).toBe(200);
    expect((await platform.api('GET', second)).body.outdated).toBe(true);
    expect((await platform.api('POST', `${second}/merge`)).status).toBe(200);
    const guide = await pageId('Guide');
    const page = await platform.api('GET', `/spaces/${spaceId}/content/page/${guide}?format=markdown`);
    expect(page.body.markdown).toContain('One.');

    for (const action of ['merge', 'update']) {
      const refused = await platform.api('POST', `${third}/${action}`);
      expect(refused.status).toBe(409);
      expect(refused.body.error.details).toEqual([
        { path: 'docs/guide.md', message: 'was changed on both sides' },
      ]);
    }
    const fourth = await propose();
    expect((await platform.api('POST', `${fourth}/update`)).status).toBe(409);
    expect((await platform.api('POST', `${fourth}/merge`)).status).toBe(409);
  });

  it('is updated with the content that readers see now', async () => {
    const { propose } = await sample();
    const place = await propose({
      type: 'write',
      path: 'docs/new.md',
      text: '# New\n\n[Guide](guide.md#two)\n',
    });
    expect((await platform.api('GET', `${place}/content`)).body.parents).toHaveLength(1);
    const other = await propose({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\n## Two\n' });
    await platform.api('POST', `${other}/merge`);
    const updated = await platform.api('POST', `${place}/update`);
    expect(updated.body).toMatchObject({ outdated: false, status: 'draft' });
    const { body } = await platform.api('GET', `${place}/content`);
    expect(body).toMatchObject({ type: 'update' });
    expect((await platform.api('POST', `${place}/merge`)).status).toBe(200);
  });

  it.each([
    { change: { type: 'write', path: 'src/x.md', text: '' }, says: 'inside the folder of the space, docs' },
    { change: { type: 'write', path: 'docs/../x.md', text: '' }, says: 'without ., .. and .git' },
    { change: { type: 'write', path: 'docs/.GIT/config', text: '' }, says: '.git' },
    {
      change: { type: 'write', path: 'docs/guide.md/x.md', text: '' },
      says: 'docs/guide.md, which is a file',
    },
    ...['docs/CON/x.md', 'docs/a:b.md', 'docs/a\\b.md', 'docs/a\nb.md', 'docs/end.', 'docs/end /x.md'].map(
      (path) => ({
        change: { type: 'write', path, text: '' },
        says: 'cannot be checked out on Windows',
      }),
    ),
    {
      change: { type: 'move', from: 'docs/guide.md', to: 'docs/nul.md' },
      says: 'cannot be checked out on Windows',
    },
    { change: { type: 'delete', path: 'docs/none.md' }, says: 'does not exist: docs/none.md' },
    { change: { type: 'move', from: 'docs/guide.md', to: 'docs/guide.md' }, says: 'must be another path' },
    { change: { type: 'page', page: 'nobody', markdown: '' }, says: 'is not a page' },
    { change: { type: 'upload', path: 'docs/a', base64: '!' }, says: 'is not base64' },
  ])('rejects $change and changes nothing', async ({ change, says }) => {
    shared ??= await sample();
    const { propose, pageId } = shared;
    const place = await propose();
    const refused = await platform.api('POST', `${place}/content`, {
      body: { changes: [{ type: 'write', path: 'docs/new.md', text: '# New\n' }, change] },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain(says);
    expect((await platform.api('GET', place)).body).toMatchObject({ status: 'draft' });
    expect(await pageId('New', place)).toBe('');
  });

  it('is listed by status, newest first', async () => {
    const { spaceId, propose } = await sample();
    const place = await propose();
    await propose();
    await platform.api('PATCH', place, { body: { status: 'open', subject: 'Ready' } });
    const open = await platform.api('GET', `/spaces/${spaceId}/change-requests?status=open`);
    expect(open.body).toMatchObject({ count: 1, items: [{ number: 1, subject: 'Ready' }] });
    const all = await platform.api('GET', `/spaces/${spaceId}/change-requests?limit=1`);
    expect(all.body).toMatchObject({ count: 2, items: [{ number: 2 }] });
    const rest = await platform.api('GET', `/spaces/${spaceId}/change-requests?page=${all.body.next.page}`);
    expect(rest.body.items).toMatchObject([{ number: 1 }]);
    expect((await platform.api('GET', `/spaces/${spaceId}`)).body).toMatchObject({
      changeRequests: 2,
      changeRequestsOpen: 1,
      changeRequestsDraft: 1,
    });
  });

  it('is described in Markdown or by nodes, and what was read is sent back without a change', async () => {
    const { propose } = await sample();
    const { api } = platform;
    const ada = await createMember(platform, 'Ada Lovelace', { role: 'comment' });
    const place = await propose();
    const describeAs = async (description: unknown) => await api('PATCH', place, { body: { description } });
    const markdown = 'Why **this**:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    const { body: first } = await describeAs({ markdown });
    expect(first.descriptionMarkdown).toBe(markdown);
    expect((await describeAs(first.description)).body.descriptionMarkdown).toBe(markdown);
    const text = (words: string, ...marks: string[]) => ({
      object: 'text',
      leaves: [{ object: 'leaf', text: words, marks: marks.map((type) => ({ object: 'mark', type })) }],
    });
    const mention = (user: string) => ({
      ...{ object: 'inline', type: 'mention', isVoid: true, nodes: [] },
      data: { ref: { kind: 'user', user } },
    });
    const document = (...nodes: object[]) => ({ object: 'document', data: {}, nodes });
    const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', nodes });
    const { body: second } = await describeAs(
      document(paragraph(text('Now '), text('shorter', 'bold'), text(', says '), mention(ada.userId))),
    );
    expect(second.descriptionMarkdown).toBe('Now **shorter**, says @Ada Lovelace');
    expect(second.description.nodes[0].type).toBe('paragraph');
    // Who is no member of the organization is not named.
    const stranger = document(paragraph(text('By'), mention('nobodyhere')));
    expect((await describeAs(stranger)).body.descriptionMarkdown).toBe('By');
    let deep: object = paragraph(text('deep'));
    for (let level = 0; level < 60; level++) deep = { object: 'block', type: 'blockquote', nodes: [deep] };
    const refused = await describeAs(document(deep));
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('is nested deeper than 40 levels'),
    ]);
    const long = document(...Array.from({ length: 900 }, () => paragraph(text('x'.repeat(100)))));
    expect((await describeAs(long)).status).toBe(400);
    expect((await describeAs(document())).body.descriptionMarkdown).toBeUndefined();
  });

  it('says when it will be deleted while it is archived', async () => {
    const { propose } = await sample();
    const place = await propose();
    await platform.api('PATCH', place, { body: { status: 'archived' } });
    const { body } = await platform.api('GET', place);
    expect(Date.parse(body.removedAt) - Date.parse(body.updatedAt)).toBe(180 * 24 * 60 * 60 * 1000);
    await platform.api('PATCH', place, { body: { status: 'draft' } });
    expect((await platform.api('GET', place)).body).not.toHaveProperty('removedAt');
  });
});

it('edits the file that a page shows that is a symbolic link, and writes no name that means .git', async () => {
  const { spaceId, repo, request, propose, pageId } = await sample();
  await repo.commit({ 'docs/same.md': { symlink: 'inner/real.md' }, 'docs/inner/real.md': '# Real\n' });
  await platform.importBranch(spaceId, request);
  const { body } = await platform.api('GET', `/spaces/${spaceId}/content/path/same`);
  const place = await propose({ type: 'page', page: body.id, markdown: '# Real\n\nMore.\n' });
  const real = await pageId('Real', place);
  const page = await platform.api('GET', `${place}/content/page/${real}?format=markdown`);
  expect(page.body.markdown).toContain('More.');
  await platform.api('POST', `${place}/merge`);
  const exported = await platform.api('POST', `/spaces/${spaceId}/git/export`, {
    body: { ...request, ref: 'refs/heads/main', commitMessage: 'More' },
  });
  expect(exported.status).toBe(204);
  await platform.waitForEnd(spaceId, (one) => one.direction === 'export');
  expect(await repo.git(['diff-tree', '-r', '--no-commit-id', '--name-status', 'main'])).toBe(
    'M\tdocs/inner/real.md',
  );
  for (const path of ['docs/.git/config', 'docs/git~1/config', 'docs/.Git ./hooks']) {
    const answer = await platform.api('POST', `${await propose()}/content`, {
      body: { changes: [{ type: 'write', path, text: 'x' }] },
    });
    expect(answer.status).toBe(400);
  }
});

describe('merge rules', () => {
  const change = { type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' };
  const rules = (...list: object[]) => ({ mergeRules: { type: 'rules', rules: list } });

  it('of a space are enforced for each merge', async () => {
    const { spaceId, propose } = await sample();
    const reviewer = await createMember(platform, 'Reviewer', { role: 'review' });
    const place = await propose(change);
    const mergeAs = async (token: string, body: object) => {
      expect((await platform.api('PATCH', `/spaces/${spaceId}`, { body })).status).toBe(200);
      const answer = await platform.api('POST', `${place}/merge`, { token });
      return [answer.status, answer.body.error?.message ?? answer.body.status];
    };
    const named = { rule: 'require_specific_reviewers', users: [reviewer.userId] };
    const { token } = platform;
    expect(await mergeAs(token, rules(named))).toEqual([
      403,
      'Change request 1 is not merged: the merge rules of its space have require_specific_reviewers, so Reviewer has to approve it.',
    ]);
    expect(await mergeAs(token, rules({ rule: 'require_any_review' }))).toEqual([
      403,
      expect.stringContaining('somebody who neither created nor changed it has to approve it'),
    ]);
    expect(await mergeAs(token, rules({ rule: 'require_full_moon' }))).toEqual([
      403,
      expect.stringContaining('require_full_moon'),
    ]);
    await platform.api('PATCH', place, { body: { subject: ' ' } });
    expect(await mergeAs(reviewer.token, rules(named, { rule: 'require_subject' }))).toEqual([
      403,
      expect.stringContaining('needs a subject'),
    ]);
    expect(await mergeAs(reviewer.token, rules(named, { rule: 'require_any_review' }))).toEqual([
      200,
      'merged',
    ]);
  });

  it('do not take the word of somebody who changed the content of the change request', async () => {
    const { spaceId, propose } = await sample();
    const [editor, reviewer] = [
      await createMember(platform, 'Editor of it', { role: 'review' }),
      await createMember(platform, 'Reader of it', { role: 'review' }),
    ];
    const set = async (rule: string) =>
      await platform.api('PATCH', `/spaces/${spaceId}`, { body: rules({ rule }) });
    const place = await propose(change);
    await set('require_any_review');
    const mayMerge = async ({ token }: TestMember) =>
      (await platform.api('GET', place, { token })).body.permissions.merge;
    const write = async (text: string) => {
      const body = { changes: [{ ...change, text }] };
      expect((await platform.api('POST', `${place}/content`, { token: editor.token, body })).status).toBe(
        200,
      );
    };
    await write(change.text);
    expect(await mayMerge(editor)).toBe(true);
    await write('# Guide\n\nBy somebody else.\n');
    expect([await mayMerge(editor), await mayMerge(reviewer)]).toEqual([false, true]);
    for (const rule of ['require_any_review', 'require_at_least_one_review']) {
      await set(rule);
      const answer = await platform.api('POST', `${place}/merge`, { token: editor.token });
      expect([answer.status, answer.body.error.reason, answer.body.error.message]).toEqual([
        403,
        'merge-rules-unmet',
        expect.stringContaining('somebody who neither created nor changed it has to approve it'),
      ]);
    }
    expect((await platform.api('POST', `${place}/merge`, { token: reviewer.token })).status).toBe(200);
  });

  it('do not take the word of somebody who wrote a template into it', async () => {
    const { spaceId, propose } = await sample();
    const writer = await createMember(platform, 'Writer of a template', { role: 'review' });
    const place = await propose(change);
    await platform.api('PATCH', `/spaces/${spaceId}`, { body: rules({ rule: 'require_any_review' }) });
    const mayMerge = async () =>
      (await platform.api('GET', place, { token: writer.token })).body.permissions.merge;
    expect(await mayMerge()).toBe(true);
    const written = await platform.api('POST', `/spaces/${spaceId}/content/template`, {
      token: writer.token,
      body: { id: 'handbook', changeRequestId: place.split('/').at(-1) },
    });
    expect(written.status).toBe(204);
    expect(await mayMerge()).toBe(false);
    const answer = await platform.api('POST', `${place}/merge`, { token: writer.token });
    expect([answer.status, answer.body.error.reason]).toEqual([403, 'merge-rules-unmet']);
  });

  it('take the word of people who may review there now, guests and teams with a grant included', async () => {
    const { api, organizationId } = platform;
    const { spaceId, propose } = await sample();
    const org = `/orgs/${organizationId}`;
    const people = await Promise.all(
      ['Guest', 'In a team', 'Disabled', 'Removed', 'Editor'].map((name) =>
        createMember(platform, name, { role: name === 'Editor' ? 'edit' : null }),
      ),
    );
    const [guest, inTeam, disabled, removed, editor] = people as [
      TestMember,
      TestMember,
      TestMember,
      TestMember,
      TestMember,
    ];
    const users = people.map(({ userId }) => userId);
    const team = await api('PUT', `${org}/teams`, { body: { title: 'Reviewers', members: [inTeam.userId] } });
    const grants = `/spaces/${spaceId}/permissions`;
    await api('POST', grants, {
      body: {
        role: 'review',
        users: [guest, disabled, removed].map(({ userId }) => userId),
        teams: [team.body.id],
      },
    });
    await api('PATCH', `/spaces/${spaceId}`, {
      body: rules({ rule: 'require_one_of_specific_reviewers', users }),
    });
    await api('PATCH', `${org}/members/${disabled.userId}`, { body: { disabled: true } });
    await api('DELETE', `${org}/members/${removed.userId}`);
    const mergeAs = async (place: string, { token }: { readonly token: string }) =>
      (await api('POST', `${place}/merge`, { token })).status;

    const first = await propose(change);
    const refusals = [];
    for (const person of [disabled, removed, editor, platform]) refusals.push(await mergeAs(first, person));
    expect(refusals).toEqual([404, 401, 403, 403]);
    expect(await mergeAs(first, guest)).toBe(200);
    const second = await propose({ ...change, text: '# Guide\n\nThere.\n' });
    expect(await mergeAs(second, inTeam)).toBe(200);

    // Nobody approves their own change, whatever way the right to merge came.
    await api('PATCH', `/spaces/${spaceId}`, { body: rules({ rule: 'require_at_least_one_review' }) });
    const own = await api('POST', `/spaces/${spaceId}/change-requests`, {
      token: guest.token,
      body: { subject: 'Mine' },
    });
    const place = `/spaces/${spaceId}/change-requests/${own.body.id}`;
    const written = await api('POST', `${place}/content`, {
      token: guest.token,
      body: { changes: [{ ...change, text: '# Guide\n\nMine.\n' }] },
    });
    expect(written.status).toBe(200);
    expect(await mergeAs(place, guest)).toBe(403);
    await api('DELETE', `${grants}/teams/${team.body.id}`);
    expect(await mergeAs(place, inTeam)).toBe(404);
    await api('PATCH', `/spaces/${spaceId}`, {
      body: rules({ rule: 'require_at_least_one_review' }, { rule: 'allow_bypass', users: [guest.userId] }),
    });
    expect(await mergeAs(place, guest)).toBe(200);
  });

  it('of a space can be none, whatever those of its organization are', async () => {
    const { spaceId, propose } = await sample();
    const place = await propose(change);
    const set = (body: object) => platform.api('PATCH', `/orgs/${platform.organizationId}`, { body });
    await set(rules({ rule: 'require_any_review' }));
    try {
      const space = await platform.api('PATCH', `/spaces/${spaceId}`, {
        body: { mergeRules: { type: 'none' } },
      });
      expect(space.body.mergeRules).toEqual({ type: 'rules', rules: [] });
      expect((await platform.api('POST', `${place}/merge`)).status).toBe(200);
    } finally {
      await set({ mergeRules: { type: 'none' } });
    }
  });

  it('are those of the organization if the space inherits them', async () => {
    const { propose } = await sample();
    const place = await propose(change);
    const set = (body: object) => platform.api('PATCH', `/orgs/${platform.organizationId}`, { body });
    await set(rules({ rule: 'require_any_review' }));
    try {
      const answer = await platform.api('POST', `${place}/merge`);
      expect([answer.status, answer.body.error.message]).toEqual([
        403,
        expect.stringContaining('the merge rules of its organization'),
      ]);
    } finally {
      await set({ mergeRules: { type: 'inherit' } });
    }
    expect((await platform.api('POST', `${place}/merge`)).status).toBe(200);
  });
});

describe('an import after edits on the platform', () => {
  testAtLength('preserves them, and reports files that both sides changed', async () => {
    const { spaceId, repo, request, propose, pageId } = await sample();
    const place = await propose({ type: 'write', path: 'docs/guide.md', text: '# Guide\n\nHere.\n' });
    await platform.api('POST', `${place}/merge`);
    await repo.commit({ 'docs/README.md': '# Home\n\nThere.\n' });
    const second = await platform.importBranch(spaceId, request);
    expect(second).toMatchObject({ state: 'success', unchanged: false });
    const [home, guide] = [await pageId('Home'), await pageId('Guide')];
    const read = async (id: string) =>
      (await platform.api('GET', `/spaces/${spaceId}/content/page/${id}?format=markdown`)).body.markdown;
    expect(await read(home)).toContain('There.');
    expect(await read(guide)).toContain('Here.');
    expect(await platform.importBranch(spaceId, request)).toMatchObject({ unchanged: true });
    expect(await read(guide)).toContain('Here.');

    await repo.commit({ 'docs/guide.md': '# Guide\n\nThere too.\n' });
    const third = await platform.importBranch(spaceId, request);
    expect(third).toMatchObject({
      state: 'failure',
      error: { code: 'conflict', path: 'docs/guide.md', paths: ['docs/guide.md'] },
    });
    expect(await read(guide)).toContain('Here.');
    const forced = await platform.importBranch(spaceId, { ...request, force: true });
    expect(forced).toMatchObject({ state: 'success' });
    expect(await read(guide)).toContain('There too.');
  });
});
