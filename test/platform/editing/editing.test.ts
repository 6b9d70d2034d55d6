import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const exact = '\uFEFF# Guide\r\n\r\n## Set up\n\ttabs  \r\n[Home](README.md)';
const docs = {
  'docs/README.md': '# Home\n\n[Guide](guide.md#set-up)\n',
  'docs/guide.md': exact,
  'docs/part/deep.md': '# Deep\n',
  'docs/latin.md': Buffer.from([0x23, 0x20, 0xe4]),
  'docs/picture.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  'src/code.c': 'int x;\n',
};

let platform: TestPlatform;
let spaceId: string;
let place: string;

beforeAll(async () => {
  platform = await startPlatform();
  const { repo, url } = await platform.createRepo('edited');
  await repo.commit(docs);
  spaceId = await platform.createSpace();
  await platform.importBranch(spaceId, { url, repoProjectDirectory: 'docs' });
  place = `/spaces/${spaceId}`;
});
afterAll(() => platform.close());

const source = (path: string, more = '') =>
  platform.api('GET', `${place}/editing/source?path=${encodeURIComponent(path)}${more}`);
const check = async (body: object) => await platform.api('POST', `${place}/editing/text`, { body });

async function propose(): Promise<{ readonly id: string; readonly content: string }> {
  const { body } = await platform.api('POST', `${place}/change-requests`, { body: { subject: 'Better' } });
  return { id: body.id, content: `${place}/change-requests/${body.id}/content` };
}

describe('the source of a file', () => {
  test('has every byte, and names its page', async () => {
    const { status, body } = await source('docs/guide.md');
    expect(status).toBe(200);
    expect(body).toMatchObject({ text: exact, page: { title: 'Guide' } });
    expect(body.problem).toBeUndefined();
  });

  test.each([
    ['docs/latin.md', 'is not a text in UTF-8'],
    ['docs/picture.png', 'is not a text in UTF-8'],
    ['src/code.c', 'is not stored here'],
  ])('%s is not edited as text, and the answer says why', async (path, why) => {
    const { body } = await source(path);
    expect(body.text).toBeUndefined();
    expect(body.problem).toContain(why);
  });

  test('is a 404 for a file that does not exist, and for readers a 403', async () => {
    expect((await source('docs/none.md')).status).toBe(404);
    const { token } = await createMember(platform, 'Reader', { role: 'read' });
    const path = `${place}/editing/source?path=docs%2Fguide.md`;
    expect((await platform.api('GET', path, { token })).status).toBe(403);
  });

  test('is that of a change request, and of the revision that was opened', async () => {
    const { body: before } = await source('docs/guide.md');
    const { id, content } = await propose();
    const changes = [{ type: 'write', path: 'docs/guide.md', text: '# New\n' }];
    expect((await platform.api('POST', content, { body: { changes } })).status).toBe(200);
    expect((await source('docs/guide.md', `&changeRequest=${id}`)).body.text).toBe('# New\n');
    expect((await source('docs/guide.md', `&revision=${before.revision}`)).body.text).toBe(exact);
  });
});

describe('a text that is not saved', () => {
  test('has its references with verdicts, and what fixes a broken one', async () => {
    const text = '# Home\n\n[Guide](guide.md#setup) and [none](nothing.md) ![x](picture.png)\n';
    const { status, body } = await check({ path: 'docs/README.md', text });
    expect(status).toBe(200);
    expect(body.references.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'broken',
      'broken',
      'ok',
    ]);
    const [first] = body.references;
    expect(first).toMatchObject({ rule: 'missing-anchor', suggestion: 'guide.md#set-up', line: 3 });
    const [{ from, to, insert }] = first.fix;
    expect(text.slice(0, from) + insert + text.slice(to)).toContain('[Guide](guide.md#set-up) and');
    expect(body.headings).toEqual([{ line: 1, level: 1, name: 'home', text: 'Home' }]);
    expect(body.view.targets).toContainEqual(
      expect.objectContaining({
        target: 'picture.png',
        reference: expect.objectContaining({ kind: 'file' }),
      }),
    );
    expect((await source('docs/README.md')).body.text).toBe(docs['docs/README.md']);
  });

  test('may be of a file that does not exist yet, and is checked with the files of the change request', async () => {
    const { id, content } = await propose();
    const changes = [{ type: 'write', path: 'docs/fresh.md', text: '# Fresh\n\n## Air\n' }];
    await platform.api('POST', content, { body: { changes } });
    const text = '# Next\n\n[Air](fresh.md#air)\n';
    const inside = await check({ path: 'docs/next.md', text, changeRequest: id });
    expect(inside.body.references).toMatchObject([{ verdict: 'ok' }]);
    expect(inside.body.view.targets).toMatchObject([{ reference: { kind: 'page' } }]);
    expect((await check({ path: 'docs/next.md', text })).body.references).toMatchObject([
      { verdict: 'broken' },
    ]);
  });

  test('has no view where it is no page', async () => {
    const { body } = await check({ path: 'docs/data.json', text: '{}' });
    expect(body).toMatchObject({ references: [] });
    expect(body.view).toBeUndefined();
  });
});

describe('a change that expects a file', () => {
  test('is made while the file is that one, and refused as a whole afterwards', async () => {
    const { oid } = (await source('docs/part/deep.md')).body;
    const { id, content } = await propose();
    const write = (text: string, expected: string) =>
      platform.api('POST', content, {
        body: {
          changes: [
            { type: 'write', path: 'docs/extra.md', text },
            { type: 'write', path: 'docs/part/deep.md', text, expected },
          ],
        },
      });
    expect((await write('# One\n', oid)).status).toBe(200);
    const refused = await write('# Two\n', oid);
    expect(refused.status).toBe(409);
    expect(refused.body.error.reason).toBe('file-changed');
    expect((await source('docs/extra.md', `&changeRequest=${id}`)).body.text).toBe('# One\n');
  });

  test.each([
    [
      'an upload to a path that is taken',
      { type: 'upload', path: 'docs/picture.png', base64: 'AAAA', expected: '' },
    ],
    ['a deletion of another file', { type: 'delete', path: 'docs/guide.md', expected: 'f'.repeat(40) }],
    [
      'a change of what is not there',
      { type: 'write', path: 'docs/none.md', text: '', expected: 'f'.repeat(40) },
    ],
  ])('%s is refused', async (_name, change) => {
    const { content } = await propose();
    const { status, body } = await platform.api('POST', content, { body: { changes: [change] } });
    expect([status, body.error?.reason]).toEqual([409, 'file-changed']);
  });
});
