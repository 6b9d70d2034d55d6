import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let ada: TestMember;
let bob: TestMember;
let reader: TestMember;
let editor: TestMember;
let spaceId: string;
let comments: string;
let pages: Record<string, string>;

const guide = [
  '# Guide',
  'Install it with the package manager of your system.',
  'Run it once as an administrator.',
  'Then open the address that it prints.',
].join('\n\n');

beforeAll(async () => {
  platform = await startPlatform();
  [ada, bob, reader, editor] = (await Promise.all([
    createMember(platform, 'Ada Lovelace', { role: 'comment' }),
    createMember(platform, 'Bob', { role: 'comment' }),
    createMember(platform, 'Reader', { role: 'read' }),
    createMember(platform, 'Editor', { role: 'edit' }),
  ])) as [TestMember, TestMember, TestMember, TestMember];
  spaceId = await platform.createSpace();
  comments = `/spaces/${spaceId}/comments`;
  await change([
    { type: 'write', path: 'README.md', text: '# Home\n\nHello.\n' },
    { type: 'write', path: 'guide.md', text: guide },
    { type: 'write', path: 'old.md', text: '# Old\n\nGone soon.\n' },
  ]);
  pages = await pagesOf(`/spaces/${spaceId}`);
});
afterAll(() => platform.close());

async function propose(changes: readonly object[]): Promise<string> {
  const place = `/spaces/${spaceId}/change-requests`;
  const { id } = (await platform.api('POST', place, { body: { subject: 'Edit' } })).body;
  const edited = await platform.api('POST', `${place}/${id}/content`, { body: { changes } });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
  return `${place}/${id}`;
}

async function change(changes: readonly object[]): Promise<void> {
  const path = await propose(changes);
  expect((await platform.api('POST', `${path}/merge`)).status).toBe(200);
}

async function pagesOf(place: string): Promise<Record<string, string>> {
  const { body } = await platform.api('GET', `${place}/content/pages`);
  const all = (list: { id: string; title: string; pages: never[] }[]): [string, string][] =>
    list.flatMap(({ id, title, pages: below }) => [[title, id], ...all(below)]);
  return Object.fromEntries(all(body.pages));
}

interface RecordedEvent {
  readonly action: string;
  readonly target: { readonly name: string };
}

interface Node {
  readonly key: string;
  readonly nodes?: readonly Node[];
  readonly leaves?: readonly { readonly text: string }[];
}

/** The key of the block of a page that says this, in what a place shows now; undefined where none does. */
async function nodeOf(pageId: string, text: string, place = `/spaces/${spaceId}`): Promise<string> {
  const { body } = await platform.api('GET', `${place}/content/page/${pageId}?format=document`);
  const textOf = (node: Node): string =>
    (node.leaves ?? []).map((leaf) => leaf.text).join('') + (node.nodes ?? []).map(textOf).join('');
  const found = (body.document.nodes as Node[]).find((node) => textOf(node).includes(text));
  return found?.key ?? 'none';
}

const say = (markdown: string, more: object = {}) => ({ body: { body: { markdown }, ...more } });

async function post(markdown: string, more: object = {}, token = ada.token, place = comments) {
  const answer = await platform.api('POST', `${place}?format=markdown`, { token, ...say(markdown, more) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

it('shows the source of a comment with thousands of parts, whose nodes would be a hundred times as long', async () => {
  const markdown = `Look, @Bob:\n\n|a|b|\n|-|-|\n${'|c|**d**|\n'.repeat(1_500)}`;
  const { status, body } = await platform.api('POST', comments, { body: { body: { markdown } } });
  expect(status).toBe(200);
  expect(JSON.stringify(body).length).toBeLessThan(50_000);
  expect(JSON.stringify(body.body.document)).toContain('|c|**d**| |c|');
  const read = await platform.api('GET', `${comments}/${body.id}?format=markdown`);
  expect(read.body.body.markdown).toBe(markdown.trim());
  await platform.api('DELETE', `${comments}/${body.id}`);
});

describe('a comment', () => {
  it('is posted, answered, reacted to, resolved, edited and deleted', async () => {
    const { id } = await post('Which **system**?', { page: pages['Guide'] });
    const at = `${comments}/${id}`;
    const reply = await platform.api('POST', `${at}/replies?format=markdown`, {
      token: bob.token,
      ...say('Debian.'),
    });
    expect(reply.body).toMatchObject({ object: 'comment-reply', body: { markdown: 'Debian.' } });
    await platform.api('PUT', at, { token: bob.token, body: { addedReactions: ['👍', '🎉'] } });
    await platform.api('PUT', at, { token: ada.token, body: { addedReactions: ['👍', '👍'] } });
    await platform.api('PUT', at, { token: bob.token, body: { removedReactions: ['🎉'] } });
    await platform.api('PUT', `${at}/replies/${reply.body.id}`, {
      token: ada.token,
      body: { addedReactions: ['❤️'] },
    });
    const resolved = await platform.api('PUT', at, { token: ada.token, body: { resolved: true } });
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: ada.userId },
      replies: 1,
      repliers: [{ count: 1, user: { id: bob.userId } }],
      reactions: [
        { emoji: '👍', count: 2, users: [{ user: { id: bob.userId } }, { user: { id: ada.userId } }] },
      ],
      target: { space: spaceId, page: { id: pages['Guide'], title: 'Guide' }, anchor: { state: 'found' } },
      body: { document: { object: 'document' } },
    });
    const reopened = await platform.api('PUT', at, {
      token: ada.token,
      body: { resolved: false, body: { markdown: 'Which distribution?' } },
    });
    expect(reopened.body.status).toBe('open');
    expect(reopened.body).not.toHaveProperty('resolvedAt');
    expect(Date.parse(reopened.body.editedAt)).toBeGreaterThanOrEqual(Date.parse(reopened.body.postedAt));
    const replies = await platform.api('GET', `${at}/replies`, { token: bob.token });
    expect(replies.body).toMatchObject({ count: 1, items: [{ reactions: [{ emoji: '❤️', count: 1 }] }] });
    expect((await platform.api('DELETE', at, { token: ada.token })).status).toBe(204);
    expect((await platform.api('DELETE', at, { token: ada.token })).status).toBe(204);
    expect((await platform.api('GET', at, { token: ada.token })).status).toBe(404);
    // The audit log says what they were about, and repeats nothing that was deleted.
    const recorded = await platform.api(
      'GET',
      `/orgs/${platform.organizationId}/audit?target=${id}&limit=100`,
    );
    const { title } = (await platform.api('GET', `/spaces/${spaceId}`)).body;
    const named = recorded.body.items.map(({ action, target }: RecordedEvent) => [action, target.name]);
    expect(named).toContainEqual(['comment.create', `Guide (${title})`]);
    expect(named).toContainEqual(['comment.delete', `Guide (${title})`]);
    expect(JSON.stringify(recorded.body)).not.toContain('distribution');
  });

  it('is written as nodes, too, and comes back as Markdown', async () => {
    const text = (words: string, ...marks: string[]) => ({
      object: 'text',
      leaves: [
        { object: 'leaf', text: words, marks: marks.map((type) => ({ object: 'mark', type, data: {} })) },
      ],
    });
    const mention = {
      object: 'inline',
      type: 'mention',
      isVoid: true,
      data: { ref: { kind: 'user', user: bob.userId } },
    };
    const document = {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          nodes: [text('See '), text('this', 'bold'), text(', '), mention],
        },
        {
          object: 'block',
          type: 'list-unordered',
          nodes: [
            {
              object: 'block',
              type: 'list-item',
              nodes: [{ object: 'block', type: 'paragraph', nodes: [text('one')] }],
            },
          ],
        },
      ],
    };
    const posted = await platform.api('POST', comments, { token: ada.token, body: { body: { document } } });
    expect(posted.status, JSON.stringify(posted.body)).toBe(200);
    const at = `${comments}/${posted.body.id}`;
    const markdown = (await platform.api('GET', `${at}?format=markdown`)).body.body.markdown;
    expect(markdown).toBe(`See **this**, [@Bob](@${bob.userId})\n\n- one`);
    const nodes = JSON.stringify(posted.body.body.document.nodes);
    expect(nodes).toContain(`{"kind":"user","user":"${bob.userId}"}`);
    expect(nodes).toContain('"type":"mention"');
  });

  it('does not tell the name of somebody who takes no part in the space, by their id', async () => {
    const stranger = await createMember(platform, 'Somebody Elsewhere', {});
    for (const { userId } of [stranger, reader]) {
      const mention = { object: 'inline', type: 'mention', data: { ref: { kind: 'user', user: userId } } };
      const text = { object: 'text', leaves: [{ object: 'leaf', text: 'Hello', marks: [] }] };
      const nodes = [{ object: 'block', type: 'paragraph', nodes: [text, mention] }];
      const body = { body: { document: { object: 'document', data: {}, nodes } } };
      const posted = await platform.api('POST', comments, { token: ada.token, body });
      const { body: read } = await platform.api('GET', `${comments}/${posted.body.id}?format=markdown`);
      expect(read.body.markdown).toBe('Hello');
    }
  });

  it.each([
    ['a name', 'Ask @Ada Lovelace, please', ['ada']],
    ['a name without its space, and in another case', 'cc @adalovelace @bob!', ['ada', 'bob']],
    ['a name in code', 'Write `@Bob`', []],
    ['a name inside of a word', 'mail a@bob now', []],
    ['a reader, who does not see comments', 'Hi @Reader', []],
    ['nobody', 'Hi @Nobody Here', []],
  ])('mentions who is named: %s', async (_name, markdown, expected) => {
    const { id } = await post(markdown);
    const { body } = await platform.api('GET', `${comments}/${id}`);
    const ids: Record<string, string> = { ada: ada.userId, bob: bob.userId };
    const found = [...JSON.stringify(body.body.document).matchAll(/"kind":"user","user":"([^"]+)"/g)];
    expect(found.map(([, user]) => user)).toEqual(expected.map((name) => ids[name]));
  });

  it.each([
    ['no text', { body: { markdown: '  \n ' } }, /empty/],
    ['an unknown page', { body: { markdown: 'x' }, page: 'nowhere' }, /page/],
    ['a node without a page', { body: { markdown: 'x' }, node: '1' }, /page/],
    [
      'a cell without a table',
      { body: { markdown: 'x' }, tableCell: { record: 'r0', definition: 'c0' } },
      /node/,
    ],
    ['nodes without end', { body: { document: { nodes: nested(60) } } }, /nested/],
  ])('is refused with a reason: %s', async (_name, body, message) => {
    const answer = await platform.api('POST', comments, { token: ada.token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(message);
  });

  it('is refused on a node that the page does not have', async () => {
    const answer = await platform.api('POST', comments, {
      token: ada.token,
      ...say('x', { page: pages['Guide'], node: 'zzz' }),
    });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/not a node/)]);
  });

  it('takes no more than one emoji for a reaction', async () => {
    const { id } = await post('React');
    const answer = await platform.api('PUT', `${comments}/${id}`, {
      token: ada.token,
      body: { addedReactions: ['<script>'] },
    });
    expect(answer.status).toBe(400);
  });

  it('is changed by its author and by editors, seen by those who may comment, and by no one else', async () => {
    const { id, permissions } = await post('Mine');
    expect(permissions).toEqual({ view: true, edit: true, reply: true, delete: true });
    const at = `${comments}/${id}`;
    const seen = await platform.api('GET', at, { token: bob.token });
    expect(seen.body.permissions).toEqual({ view: true, edit: false, reply: true, delete: false });
    for (const body of [{ resolved: true }, { body: { markdown: 'Yours' } }]) {
      const refused = await platform.api('PUT', at, { token: bob.token, body });
      expect([refused.status, refused.body.error.reason]).toEqual([403, 'not-own-comment']);
    }
    expect((await platform.api('DELETE', at, { token: bob.token })).status).toBe(403);
    expect((await platform.api('GET', at, { token: reader.token })).status).toBe(403);
    expect((await platform.api('PUT', at, { token: editor.token, body: { resolved: true } })).status).toBe(
      200,
    );
    expect((await platform.api('DELETE', at, { token: editor.token })).status).toBe(204);
  });

  it('is still possible in a locked space', async () => {
    const lock = (editMode: string) => platform.api('PATCH', `/spaces/${spaceId}`, { body: { editMode } });
    await lock('locked');
    await post('While it is locked');
    await lock('live');
  });

  it('shows guests no addresses of those who commented', async () => {
    const guest = await createMember(platform, 'Guest', { role: null });
    await platform.api('POST', `/spaces/${spaceId}/permissions`, {
      body: { role: 'comment', users: [guest.userId] },
    });
    await post('For guests');
    const { body } = await platform.api('GET', comments, { token: guest.token });
    expect(body.items.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('@example.com');
    const people = await platform.api('GET', `/spaces/${spaceId}/commenters`, { token: guest.token });
    expect(people.body.count).toBeGreaterThan(0);
    expect(JSON.stringify(people.body)).not.toContain('@example.com');
    const members = await platform.api('GET', `/spaces/${spaceId}/commenters`, { token: ada.token });
    expect(JSON.stringify(members.body)).toContain('@example.com');
  });

  it('is limited to what people write', async () => {
    const hasty = await createMember(platform, 'Hasty', { role: 'comment' });
    const { id } = await post('React to me');
    // As 120 calls within the last minute leave it.
    await platform.deps.db.execute(sql`
      insert into call_windows (key, starts)
      select ${`comments:${hasty.userId}`}, array(select now() from generate_series(1, 120))`);
    const react = () =>
      platform.api('PUT', `${comments}/${id}`, { token: hasty.token, body: { addedReactions: ['👀'] } });
    const refused = await react();
    expect([refused.status, refused.body.error.reason]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a list of comments', () => {
  it('is filtered, in both orders, and paged', async () => {
    const own = await platform.createSpace();
    const list = `/spaces/${own}/comments`;
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      const { id } = await post(`${at}`, {}, at % 2 === 0 ? ada.token : bob.token, list);
      ids.push(id);
    }
    await platform.api('PUT', `${list}/${ids[0]}`, { body: { resolved: true } });
    const read = async (query: string) => {
      const { body } = await platform.api('GET', `${list}?${query}`);
      return { ...body, ids: body.items.map(({ id }: { id: string }) => ids.indexOf(id)) };
    };
    expect((await read('')).ids).toEqual([4, 3, 2, 1, 0]);
    expect((await read('order=asc')).ids).toEqual([0, 1, 2, 3, 4]);
    expect((await read('status=resolved')).ids).toEqual([0]);
    expect((await read('status=open&order=asc')).ids).toEqual([1, 2, 3, 4]);
    expect((await read(`authors=${bob.userId}`)).ids).toEqual([3, 1]);
    expect((await read(`authors=${bob.userId}&authors=${ada.userId}`)).count).toBe(5);
    expect((await read('targetPage=none')).count).toBe(0);
    const first = await read('limit=2');
    expect([first.count, first.ids]).toEqual([5, [4, 3]]);
    expect((await read(`limit=2&page=${first.next.page}`)).ids).toEqual([2, 1]);
    expect((await platform.api('GET', `/spaces/${own}`)).body.comments).toBe(4);
    expect((await platform.api('GET', `/spaces/${own}`, { token: reader.token })).body.comments).toBe(0);
  });
});

describe('a comment on a block', () => {
  const targetOf = async (id: string, place = comments) =>
    (await platform.api('GET', `${place}/${id}`)).body.target;

  it('moves with its text, says so when the text is gone, and is back with it', async () => {
    const page = pages['Guide'] ?? '';
    const text = 'Run it once as an administrator.';
    const posted = await post('Why?', { page, node: await nodeOf(page, text) });
    expect(posted.target).toMatchObject({ anchor: { state: 'found', quote: text } });
    const { id } = posted;

    await change([
      { type: 'write', path: 'guide.md', text: guide.replace('# Guide', '# Guide\n\nA new start.\n\nMore.') },
    ]);
    const moved = await nodeOf(page, text);
    expect(moved).not.toBe(posted.target.node.id);
    await waitFor(async () => (await targetOf(id)).node?.id === moved);

    const edited = text.replace('an administrator', 'the administrator');
    await change([{ type: 'write', path: 'guide.md', text: guide.replace(text, edited) }]);
    await waitFor(async () => (await targetOf(id)).anchor.quote === edited);
    expect((await targetOf(id)).node.id).toBe(await nodeOf(page, edited));

    await change([{ type: 'write', path: 'guide.md', text: guide.replace(text, '') }]);
    await waitFor(async () => (await targetOf(id)).anchor.state === 'text-gone');
    expect(await targetOf(id)).not.toHaveProperty('node');
    expect(await targetOf(id)).toMatchObject({ page: { id: page }, anchor: { quote: edited } });

    await change([{ type: 'write', path: 'guide.md', text: guide.replace(text, edited) }]);
    await waitFor(async () => (await targetOf(id)).anchor.state === 'found');
    const { revision } = await targetOf(id);
    expect(revision).toBe((await platform.api('GET', `/spaces/${spaceId}`)).body.revision);
  });

  it('stays listed with the last title of a page that is deleted, and stands there again when it is back', async () => {
    const page = pages['Old'] ?? '';
    const { id } = await post('Keep?', { page, node: await nodeOf(page, 'Gone soon.') });
    await change([{ type: 'delete', path: 'old.md' }]);
    await waitFor(async () => (await targetOf(id)).anchor.state === 'page-gone');
    expect(await targetOf(id)).toMatchObject({
      page: { id: page, title: 'Old' },
      anchor: { quote: 'Gone soon.' },
    });
    const { body } = await platform.api('GET', `${comments}?targetPage=${page}`);
    expect(body.items.map((item: { id: string }) => item.id)).toEqual([id]);
    await change([{ type: 'write', path: 'old.md', text: '# Old\n\nNew.\n\nGone soon.\n' }]);
    await waitFor(async () => (await targetOf(id)).anchor.state === 'found');
    expect((await targetOf(id)).node.id).toBe(await nodeOf(page, 'Gone soon.'));
  });

  it('of a change request follows what it proposes, and is in the space after the merge while it is open', async () => {
    const text = 'Only the change request says this.';
    const place = await propose([{ type: 'write', path: 'new.md', text: `# New\n\n${text}\n` }]);
    const page = (await pagesOf(place))['New'] ?? '';
    const node = await nodeOf(page, text, place);
    const discussion = `${place}/comments`;
    const open = await post('Really?', { page, node }, ada.token, discussion);
    const done = await post('Typo', { page, node }, ada.token, discussion);
    expect(place.endsWith(`/${open.target.changeRequest}`)).toBe(true);
    await platform.api('PUT', `${discussion}/${done.id}`, { body: { resolved: true } });
    expect((await platform.api('GET', place)).body.comments).toBe(1);
    const listed = async (path: string) =>
      (await platform.api('GET', `${path}?targetPage=${page}`)).body.items.map(
        (item: { id: string }) => item.id,
      );
    expect(await listed(comments)).toEqual([]);

    const change = { type: 'write', path: 'new.md', text: `# New\n\nMore.\n\n${text}\n` };
    await platform.api('POST', `${place}/content`, { body: { changes: [change] } });
    await waitFor(async () => (await targetOf(open.id, discussion)).node?.id !== node);
    expect((await targetOf(open.id, discussion)).node.id).toBe(await nodeOf(page, text, place));

    await platform.api('POST', `${place}/merge`);
    expect(await listed(comments)).toEqual([open.id]);
    expect(await listed(discussion)).toEqual([done.id, open.id]);
    const { revision } = (await platform.api('GET', `/spaces/${spaceId}`)).body;
    await waitFor(async () => (await targetOf(open.id)).revision === revision);
    expect((await targetOf(open.id)).node.id).toBe(await nodeOf(page, text));
    await platform.api('PUT', `${discussion}/${done.id}`, { body: { resolved: false } });
    expect(await listed(comments)).toEqual([done.id, open.id]);
  });
});

function nested(depth: number): object[] {
  return depth === 0 ? [] : [{ object: 'block', type: 'blockquote', nodes: nested(depth - 1) }];
}
