import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAtLength } from '../../support/describe-at-length.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let writer: TestMember;
let reviewer: TestMember;
let second: TestMember;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  writer = await createMember(platform, 'Wanda Writer', { role: 'edit' });
  reviewer = await createMember(platform, 'Rita Reviewer', { role: 'review' });
  second = await createMember(platform, 'Sam Second', { role: 'review' });
});
afterAll(() => platform.close());

const write = (path: string, text: string) => ({ type: 'write', path, text });

/** A space with content, and a change request of the writer in it. */
async function begin(...changes: object[]) {
  const { api, organizationId } = platform;
  const spaceId = (await api('POST', `/orgs/${organizationId}/spaces`, { body: { title: 'Docs' } })).body.id;
  const requests = `/spaces/${spaceId}/change-requests`;
  const create = async (token: string, list: readonly object[]) => {
    const { id } = (await api('POST', requests, { token, body: { subject: 'Better words' } })).body;
    const place = `${requests}/${id}`;
    if (list.length > 0) {
      const changed = await api('POST', `${place}/content`, { token, body: { changes: list } });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    }
    return place;
  };
  /** What somebody else merges into the space. */
  const publish = async (...list: object[]) => {
    const merged = await api('POST', `${await create(platform.token, list)}/merge`);
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
  };
  await publish(
    write('README.md', '# Home\n\nOne.\n\nTwo.\n\nThree.\n'),
    write('guide.md', '# Guide\n'),
    write('SUMMARY.md', '# Summary\n\n* [Home](README.md)\n* [Guide](guide.md)\n'),
  );
  const place = await create(writer.token, changes);
  const edit = (...list: object[]) =>
    api('POST', `${place}/content`, { token: writer.token, body: { changes: list } });
  const review = async (status: string, by: TestMember = reviewer) =>
    await api('POST', `${place}/reviews`, { token: by.token, body: { status } });
  const rules = async (...list: object[]) =>
    await api('PATCH', `/spaces/${spaceId}`, { body: { mergeRules: { type: 'rules', rules: list } } });
  const status = async (token = platform.token) =>
    (await api('GET', `${place}/merge-status`, { token })).body;
  return { spaceId, place, publish, edit, review, rules, status };
}

const change = write('README.md', '# Home\n\nOne and more.\n\nTwo.\n\nThree.\n');

describe('a review', () => {
  it('is about a revision, and outdated once the content is changed or its author reviews again', async () => {
    const { place, edit, review } = await begin(change);
    const { api } = platform;
    const first = await review('changes-requested');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      object: 'change-request-review',
      status: 'changes-requested',
      outdated: false,
      reviewer: { id: reviewer.userId },
    });
    await edit(write('README.md', '# Home\n\nMended.\n'));
    const again = await review('approved');
    expect(again.body.revision).not.toBe(first.body.revision);
    const list = async (query = '') => (await api('GET', `${place}/reviews${query}`)).body;
    expect(
      (await list()).items.map((one: { status: string; outdated: boolean }) => [one.status, one.outdated]),
    ).toEqual([
      ['approved', false],
      ['changes-requested', true],
    ]);
    await edit(write('README.md', '# Home\n\nChanged after the approval.\n'));
    expect((await list('?outdated=false')).items).toEqual([]);
    expect((await list('?limit=1')).next.page).toEqual(expect.any(String));
    const one = await api('GET', `${place}/reviews/${again.body.id}`);
    expect([one.status, one.body.outdated]).toEqual([200, true]);
  });

  it('may say something, which is a comment of the change request for those who may read comments', async () => {
    const { place, spaceId } = await begin(change);
    const { api } = platform;
    const body = { status: 'changes-requested', comment: { markdown: 'Say *why*, @Wanda Writer.' } };
    const made = await api('POST', `${place}/reviews`, { token: reviewer.token, body });
    expect(made.body.comment).toMatchObject({
      postedBy: { id: reviewer.userId },
      target: { review: made.body.id },
    });
    const { items } = (await api('GET', `${place}/comments?format=markdown`)).body;
    expect(items).toMatchObject([{ id: made.body.comment.id, body: body.comment }]);
    expect((await api('GET', `/spaces/${spaceId}/comments`)).body.items).toEqual([]);
    const told = (await api('GET', '/user/notifications', { token: writer.token })).body.items;
    expect(told.map(({ kind }: { kind: string }) => kind).toSorted()).toContain('mention');

    const reader = await createMember(platform, 'Reader', { role: 'read' });
    const read = await api('GET', `${place}/reviews/${made.body.id}`, { token: reader.token });
    expect([read.status, read.body.comment]).toEqual([200, undefined]);
    const empty = await api('POST', `${place}/reviews`, {
      token: reviewer.token,
      body: { status: 'approved', comment: { markdown: '  ' } },
    });
    expect([empty.status, empty.body.error.details[0].path]).toEqual([400, '/body/comment']);
    expect((await api('GET', `${place}/reviews`)).body.count).toBe(1);
  });

  testAtLength(
    'holds when the change request is updated with what the space has, unless a file took a decision',
    async () => {
      const { place, publish, review, status, rules } = await begin(change);
      const { api } = platform;
      await rules({ rule: 'require_all_reviews_approved' }, { rule: 'require_up_to_date_change_request' });
      await review('approved');
      await publish(write('guide.md', '# Guide\n\nNews.\n'));
      expect((await status()).blockers).toEqual([
        { kind: 'rule', message: 'It has to be updated with what the space has now.' },
      ]);
      expect((await api('POST', `${place}/update`, { token: writer.token })).status).toBe(200);
      expect((await status()).mergeable).toBe(true);
      await publish(write('README.md', '# Home\n\nSomething else.\n'));
      const resolutions = [{ path: 'README.md', take: 'change-request' }];
      expect((await api('POST', `${place}/update`, { token: writer.token })).body.error.reason).toBe(
        'conflict',
      );
      const updated = await api('POST', `${place}/update`, { token: writer.token, body: { resolutions } });
      expect([updated.status, updated.body.result]).toEqual([200, 'update']);
      expect((await status()).blockers).toEqual([
        {
          kind: 'rule',
          message: 'Rita Reviewer approved it before it was changed, and has to approve it again.',
        },
      ]);
    },
  );

  it('approves nobody’s own work, nor what was changed after it was read', async () => {
    const { place, review, edit } = await begin(change);
    const { api } = platform;
    const own = await createMember(platform, 'Own', { role: 'review' });
    await api('POST', `${place}/content`, {
      token: own.token,
      body: { changes: [write('guide.md', '# Guide\n\nMine.\n')] },
    });
    const refused = await review('approved', own);
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'own-change']);
    expect((await review('changes-requested', own)).status).toBe(201);
    const { revision } = (await api('GET', place)).body;
    await edit(write('guide.md', '# Guide\n\nLater.\n'));
    const late = await api('POST', `${place}/reviews`, {
      token: reviewer.token,
      body: { status: 'approved', revision },
    });
    expect([late.status, late.body.error.reason]).toEqual([409, 'content-moved']);
    const low = await review('approved', writer);
    expect([low.status, low.body.error.reason]).toEqual([403, 'role-too-low']);
  });
});

describe('requested reviewers', () => {
  it('are users and teams, whose requests their review completes', async () => {
    const { place, review, spaceId } = await begin(change);
    const { api, organizationId } = platform;
    const team = await api('PUT', `/orgs/${organizationId}/teams`, {
      body: { title: 'Editors', members: [second.userId] },
    });
    const requests = `${place}/requested-reviewers`;
    const { token } = writer;
    const sent = await api('POST', requests, {
      token,
      body: { users: [reviewer.userId], teams: [team.body.id], subject: 'Best words' },
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    expect(sent.body.users[0]).toMatchObject({ kind: 'user', user: { id: reviewer.userId } });
    expect(sent.body.teams[0]).toMatchObject({ kind: 'team', team: { title: 'Editors' } });
    const read = async () => (await api('GET', place)).body;
    expect(await read()).toMatchObject({ status: 'open', subject: 'Best words' });
    const mine = async (userId: string) =>
      (await api('GET', `/spaces/${spaceId}/change-requests?requestedReviewer=${userId}`)).body.count;
    expect([await mine(reviewer.userId), await mine(second.userId), await mine(writer.userId)]).toEqual([
      1, 1, 0,
    ]);
    await review('approved', second);
    await review('changes-requested');
    expect((await api('GET', requests)).body).toMatchObject({ count: 0, items: [] });
    await api('POST', requests, { token, body: { users: [reviewer.userId] } });
    const { items } = (await api('GET', `${place}/reviews`)).body;
    expect(items[0]).toMatchObject({ status: 'changes-requested', outdated: true });
    expect(items[0].requestedBy.id).toBe(writer.userId);
    expect((await api('DELETE', `${requests}/${reviewer.userId}`, { token })).status).toBe(204);
    expect((await api('GET', requests)).body.count).toBe(0);
  });

  it('are only those who may review, and not the author', async () => {
    const { place } = await begin(change);
    const { api } = platform;
    const stranger = await createMember(platform, 'Stranger', {});
    for (const user of [writer.userId, stranger.userId, 'nobody']) {
      const answer = await api('POST', `${place}/requested-reviewers`, {
        token: writer.token,
        body: { users: [user] },
      });
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, '/body/users/0']);
    }
  });
});

describe('the merge status', () => {
  it('names each rule with what is missing', async () => {
    const { place, rules, status, review, edit } = await begin(change);
    const { api } = platform;
    await rules(
      { rule: 'require_specific_reviewers', users: [reviewer.userId, second.userId] },
      { rule: 'require_at_least_one_review' },
      { rule: 'require_change_request_description' },
      { rule: 'custom', expression: 'reviews.approvedBy.length >= 1 && !changeRequest.outdated' },
    );
    const messages = async () => {
      const { rules: list } = await status(writer.token);
      return list.map(
        ({ met, message }: { met: boolean; message: string }) => `${met ? '+' : '-'} ${message}`,
      );
    };
    expect(await messages()).toEqual([
      '- Rita Reviewer and Sam Second have to approve it.',
      '- Somebody who neither created nor changed it has to approve it.',
      '- It needs a description first.',
      '- Its condition reviews.approvedBy.length >= 1 && !changeRequest.outdated has to be true.',
    ]);
    await api('PATCH', place, { token: writer.token, body: { description: { markdown: 'Why **this**.' } } });
    await review('approved');
    expect(await messages()).toEqual([
      '- Sam Second has to approve it.',
      '+ Approved by somebody who neither created nor changed it.',
      '+ It has a description.',
      '+ The condition reviews.approvedBy.length >= 1 && !changeRequest.outdated is true.',
    ]);
    // Whoever merges approves by it.
    expect((await status(second.token)).mergeable).toBe(true);
    await edit(write('guide.md', '# Guide\n\nLater.\n'));
    expect(await messages()).toContain(
      '- Somebody who neither created nor changed it has to approve it; Rita Reviewer approved what it was before its last change.',
    );
    const { blockers } = await status(writer.token);
    expect(blockers[0]).toEqual({ kind: 'role', message: 'Merging takes the role review; yours is edit.' });
    const described = (await api('GET', place)).body;
    expect(described.descriptionMarkdown).toBe('Why **this**.');
    expect(described.description.nodes[0].type).toBe('paragraph');
  });

  it('does not count approvals of people who may not review any more', async () => {
    const { rules, status, review } = await begin(change);
    const passing = await createMember(platform, 'Passing', { role: 'review' });
    await rules({ rule: 'require_at_least_one_review' });
    await review('approved', passing);
    expect((await status(writer.token)).rules[0].met).toBe(true);
    const path = `/orgs/${platform.organizationId}/members/${passing.userId}`;
    await platform.api('PATCH', path, { body: { role: 'read' } });
    expect((await status(writer.token)).rules[0].met).toBe(false);
  });

  it('refuses a rule whose condition cannot be evaluated', async () => {
    const { rules } = await begin();
    const answer = await rules({ rule: 'custom', expression: 'weather === "fine"' });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([
      400,
      '/body/mergeRules/rules/0/expression',
    ]);
  });
});

describe('conflicts', () => {
  it('are listed with what each side did, merged by line, and decided one by one', async () => {
    const { place, publish, spaceId } = await begin(
      change,
      write('guide.md', '# Guide\n\nMine.\n'),
      write('new.md', '# New\n\nMine.\n'),
    );
    const { api } = platform;
    await publish(
      write('README.md', '# Home\n\nOne.\n\nTwo.\n\nThree and four.\n'),
      { type: 'delete', path: 'guide.md' },
      write('new.md', '# New\n\nTheirs.\n'),
      write('SUMMARY.md', '# Summary\n\n* [Home](README.md)\n'),
    );
    const conflicts = (await api('GET', `${place}/conflicts`)).body;
    expect(conflicts.items).toEqual([
      { object: 'conflict', path: 'README.md', inSpace: 'changed', inChangeRequest: 'changed', isText: true },
      { object: 'conflict', path: 'guide.md', inSpace: 'removed', inChangeRequest: 'changed', isText: false },
      { object: 'conflict', path: 'new.md', inSpace: 'added', inChangeRequest: 'added', isText: true },
    ]);
    const read = async (path: string) => (await api('GET', `${place}/conflicts/file?path=${path}`)).body;
    expect((await read('README.md')).parts).toEqual([
      { kind: 'merged', text: '# Home\n\nOne and more.\n\nTwo.\n\nThree and four.\n' },
    ]);
    expect((await read('new.md')).parts.at(-1)).toEqual({
      kind: 'conflict',
      base: '',
      space: expect.stringContaining('Theirs.'),
      changeRequest: expect.stringContaining('Mine.'),
    });
    const resolve = async (...resolutions: object[]) =>
      await api('POST', `${place}/update`, { token: writer.token, body: { resolutions } });
    const some = await resolve({ path: 'README.md', take: 'merged' });
    expect([some.status, some.body.error.reason]).toEqual([409, 'conflict']);
    expect(some.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['guide.md', 'new.md']);
    expect((await resolve({ path: 'SUMMARY.md', take: 'space' })).body.error.details[0].path).toBe(
      '/body/resolutions/0/path',
    );
    expect((await resolve({ path: 'new.md', take: 'merged' })).body.error.details[0].path).toBe(
      '/body/resolutions/0/take',
    );
    const all = await resolve(
      { path: 'README.md', take: 'merged' },
      { path: 'guide.md', take: 'space' },
      { path: 'new.md', text: '# New\n\nBoth.\n' },
    );
    expect(all.status, JSON.stringify(all.body)).toBe(200);
    const merged = await api('POST', `${place}/merge`);
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    const { pages } = (await api('GET', `/spaces/${spaceId}/content/pages`)).body;
    const home = (await api('GET', `/spaces/${spaceId}/content/page/${pages[0].id}?format=markdown`)).body;
    expect(home.markdown).toBe('# Home\n\nOne and more.\n\nTwo.\n\nThree and four.\n');
  });
});

describe('what a change request changes', () => {
  it('is told by page and file, and by line', async () => {
    const { place } = await begin(
      change,
      { type: 'move', from: 'guide.md', to: 'manual/guide.md' },
      write(
        'SUMMARY.md',
        '# Summary\n\n* [Start](README.md)\n  * [Guide](manual/guide.md)\n* [New](new.md)\n',
      ),
      write('new.md', '# New\n'),
      { type: 'upload', path: 'a.png', base64: Buffer.from([137, 80, 78, 71, 0]).toString('base64') },
    );
    const { api } = platform;
    const { changes, more } = (await api('GET', `${place}/changes`)).body;
    expect(more).toBeUndefined();
    expect(
      changes.map((one: { type: string; page?: { title: string }; file?: { name: string } }) => [
        one.type,
        one.page?.title ?? one.file?.name,
      ]),
    ).toEqual([
      ['page_edited', 'Start'],
      ['page_moved', 'Guide'],
      ['page_created', 'New'],
      ['file_created', 'a.png'],
    ]);
    expect(changes[0].attributes).toMatchObject({
      title: { before: 'Home', after: 'Start' },
      document: { before: expect.any(String), after: expect.any(String) },
    });
    expect((await api('GET', `${place}/changes?limit=1`)).body.more).toBe(3);
    const files = (await api('GET', `${place}/changed-files`)).body;
    expect(
      files.items.map((file: { kind: string; path: string; previousPath?: string }) => [
        file.kind,
        file.path,
        file.previousPath,
      ]),
    ).toEqual([
      ['changed', 'README.md', undefined],
      ['changed', 'SUMMARY.md', undefined],
      ['added', 'a.png', undefined],
      ['moved', 'manual/guide.md', 'guide.md'],
      ['added', 'new.md', undefined],
    ]);
    const compare = async (path: string) =>
      (await api('GET', `${place}/changed-files/comparison?path=${encodeURIComponent(path)}`)).body;
    expect(await compare('README.md')).toMatchObject({ added: 1, removed: 1, hunks: [{ oldStart: 1 }] });
    expect(await compare('a.png')).toMatchObject({ hunks: [], problem: 'The file is not a text.' });
    expect((await compare('none.md')).error.reason).toBe('not-found');
    const contributors = (await api('GET', `${place}/contributors`)).body;
    expect(contributors.items).toEqual([
      expect.objectContaining({
        actionType: 'edit',
        count: 1,
        user: expect.objectContaining({ id: writer.userId }),
      }),
    ]);
  });
});

describe('lists of change requests', () => {
  it('filter by people, and are ordered by number or by change', async () => {
    const { spaceId, place, review } = await begin(change);
    const { api, organizationId } = platform;
    const requests = `/spaces/${spaceId}/change-requests`;
    const numbers = async (query: string, path = requests) =>
      (await api('GET', `${path}?${query}`)).body.items.map((one: { number: number }) => one.number);
    expect(await numbers(`creator=${writer.userId}`)).toEqual([2]);
    expect(await numbers(`contributor=${writer.userId}&status=draft`)).toEqual([2]);
    expect(await numbers(`contributor=${reviewer.userId}`)).toEqual([]);
    await api('POST', requests, { token: writer.token, body: { subject: 'Third' } });
    await api('PATCH', place, { token: writer.token, body: { status: 'open' } });
    expect(await numbers('')).toEqual([3, 2, 1]);
    expect(await numbers('orderBy=updatedAt')).toEqual([2, 3, 1]);
    const first = (await api('GET', `${requests}?orderBy=updatedAt&limit=1`)).body;
    expect(await numbers(`orderBy=updatedAt&limit=1&page=${first.next.page}`)).toEqual([3]);
    await review('approved');
    const everywhere = await api(
      'GET',
      `/orgs/${organizationId}/change-requests?creator=${writer.userId}&limit=2`,
      {
        token: reviewer.token,
      },
    );
    expect(everywhere.body.items.map((one: { space: string }) => one.space)).toEqual([spaceId, spaceId]);
    const guest = await createMember(platform, 'Guest of lists', { role: null });
    const hidden = await api('GET', `/orgs/${organizationId}/change-requests`, { token: guest.token });
    expect(hidden.body).toEqual({ count: 0, items: [] });
  });
});
