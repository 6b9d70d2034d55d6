import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilePlan } from '../../../src/contract/index.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const docs = {
  '.gitbook.yaml': 'root: ./\n',
  'SUMMARY.md':
    '# Contents\r\n\r\n* [Home](README.md)\r\n* [Guide](guide.md)\r\n* [Part](part/README.md)\r\n  * [Deep](part/deep.md)\r\n',
  'README.md': '\uFEFF# Home\r\n\r\nSee the [Guide](guide.md#set-up).  \r\n',
  'guide.md': '# Guide\n\n## Set up\n\n[Deep](part/deep.md) ![x](x.png)\n',
  'part/README.md': '# Part\n\n[Guide](../guide.md)\n',
  'part/deep.md': '# Deep\n\n## Deeper still\n\n[Up](README.md)\n',
  'x.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
};

let platform: TestPlatform;
let place: string;

beforeAll(async () => {
  platform = await startPlatform();
  const { repo, url } = await platform.createRepo('files');
  await repo.commit(docs);
  const spaceId = await platform.createSpace();
  await platform.importBranch(spaceId, { url });
  place = `/spaces/${spaceId}`;
});
afterAll(() => platform.close());

async function plan(action: object): Promise<FilePlan> {
  const { status, body } = await platform.api('POST', `${place}/editing/plans`, { body: { action } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Does an action in a change request of its own; returns the reader of its files. */
async function change(action: object) {
  const { body } = await platform.api('POST', `${place}/change-requests`, { body: { subject: 'Files' } });
  const done = await platform.api('POST', `${place}/change-requests/${body.id}/files`, { body: { action } });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return async (path: string) => {
    const query = `path=${encodeURIComponent(path)}&changeRequest=${body.id}`;
    const answer = await platform.api('GET', `${place}/editing/source?${query}`);
    return answer.status === 404 ? null : answer.body.text;
  };
}

describe('a page that is renamed', () => {
  const action = { type: 'move', from: 'guide.md', to: 'part/manual.md' };

  test('is shown with all that changes before anything is', async () => {
    const { changes, worse } = await plan(action);
    expect(worse).toEqual([]);
    const links = changes.filter(({ kind }) => kind === 'link');
    expect(links.map(({ file, before, after }) => [file, before, after])).toEqual(
      expect.arrayContaining([
        ['README.md', 'guide.md#set-up', 'part/manual.md#set-up'],
        ['SUMMARY.md', 'guide.md', 'part/manual.md'],
        ['part/README.md', '../guide.md', 'manual.md'],
        ['part/manual.md', 'part/deep.md', 'deep.md'],
        ['part/manual.md', 'x.png', '../x.png'],
      ]),
    );
    expect(changes.some(({ kind }) => kind === 'redirect')).toBe(true);
  });

  test('takes the links to it along, and no other byte', async () => {
    const read = await change(action);
    expect(await read('guide.md')).toBeNull();
    expect(await read('README.md')).toBe(docs['README.md'].replace('guide.md', 'part/manual.md'));
    expect(await read('SUMMARY.md')).toBe(docs['SUMMARY.md'].replace('(guide.md)', '(part/manual.md)'));
    expect(await read('part/manual.md')).toBe('# Guide\n\n## Set up\n\n[Deep](deep.md) ![x](../x.png)\n');
    expect(await read('.gitbook.yaml')).toContain('guide: part/manual.md');
  });

  test.each([
    [{ type: 'move', from: 'none.md', to: 'a.md' }, 400],
    [{ type: 'move', from: 'guide.md', to: 'README.md' }, 409],
    [{ type: 'move', from: 'guide.md', to: '../out.md' }, 400],
    [{ type: 'move', from: 'guide.md', to: '.git/config' }, 400],
    [{ type: 'create', path: 'con.md', title: 'X' }, 400],
    [{ type: 'move', from: 'part', to: 'part/deeper' }, 400],
    [{ type: 'delete', path: 'guide.md', replacement: 'none.md' }, 400],
    [{ type: 'create', path: 'guide.md', title: 'X' }, 409],
  ])('%j is refused', async (refused, status) => {
    const answer = await platform.api('POST', `${place}/editing/plans`, { body: { action: refused } });
    expect(answer.status).toBe(status);
  });
});

describe('a page that is deleted', () => {
  test('leaves the table of contents, and what will be broken is shown', async () => {
    const { changes, worse } = await plan({ type: 'delete', path: 'guide.md' });
    expect(changes).toMatchObject([{ file: 'SUMMARY.md', before: '* [Guide](guide.md)', after: '' }]);
    expect(worse.map(({ file }) => file)).toEqual(expect.arrayContaining(['README.md', 'part/README.md']));
  });

  test('hands its links over to the page that takes its place', async () => {
    const read = await change({ type: 'delete', path: 'guide.md', replacement: 'part/deep.md' });
    expect(await read('guide.md')).toBeNull();
    expect(await read('part/README.md')).toBe('# Part\n\n[Guide](deep.md)\n');
    expect(await read('README.md')).toBe(docs['README.md'].replace('guide.md#set-up', 'part/deep.md'));
    expect(await read('SUMMARY.md')).toBe(docs['SUMMARY.md'].replace('* [Guide](guide.md)\r\n', ''));
  });
});

describe('what is created', () => {
  test('is listed in the table of contents', async () => {
    const read = await change({
      type: 'create',
      path: 'part/new.md',
      title: 'New one',
      after: 'part/deep.md',
    });
    expect(await read('part/new.md')).toBe('# New one\n');
    expect(await read('SUMMARY.md')).toBe(`${docs['SUMMARY.md']}  * [New one](part/new.md)\r\n`);
  });

  test('is a group under which entries follow', async () => {
    const read = await change({ type: 'create-group', title: 'Reference' });
    expect(await read('SUMMARY.md')).toBe(`${docs['SUMMARY.md']}\r\n## Reference\r\n`);
  });
});

describe('suggested targets', () => {
  const suggest = async (query: string, path = 'part/deep.md', kind = 'any') => {
    const parameters = new URLSearchParams({ path, query, kind });
    const { body } = await platform.api('GET', `${place}/editing/targets?${parameters}`);
    return body.items.map(({ destination }: { destination: string }) => destination);
  };

  test.each([
    ['gui', ['../guide.md']],
    ['../gui', ['../guide.md']],
    ['hom', ['../README.md']],
    ['../guide.md#', ['../guide.md#guide', '../guide.md#set-up']],
    ['../guide.md#up', ['../guide.md#set-up']],
    ['nothing like it', []],
  ])('for “%s” lead there from this page', async (query, expected) => {
    expect(await suggest(query)).toEqual(expected);
  });

  test('for a picture are files', async () => {
    expect(await suggest('', 'part/deep.md', 'file')).toEqual(['../x.png']);
  });
});
