import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMember } from '../../platform/create-member.ts';
import { startPages, type TestPages } from '../start-pages.ts';

const guide = '\uFEFF# Guide\r\n\r\n## Set up\n\r\nOne\r\nTwo\r\nThree';
const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');

let pages: TestPages;
let spaceId: string;
let cookie: string;

beforeAll(async () => {
  pages = await startPages();
  const { repo, url } = await pages.platform.createRepo('written');
  await repo.commit({
    'README.md': '# Home\n\n[Guide](guide.md)\n',
    'guide.md': guide,
    'tag.md': '\n<textarea>&amp;</textarea>\n',
  });
  spaceId = await pages.platform.createSpace('Written');
  await pages.platform.importBranch(spaceId, { url });
  cookie = await pages.signIn();
});
afterAll(() => pages.close());

const decode = (text: string) => text.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));

/** The editor's form as a browser has it: fields by name, the text with the line ends that it sends. */
async function open(path: string, cr = 'new') {
  const answer = await pages.get(`/spaces/${spaceId}/edit?path=${encodeURIComponent(path)}&cr=${cr}`, {
    cookie,
  });
  expect(answer.status).toBe(200);
  return readForm(await answer.text());
}

function readForm(page: string) {
  const form = /<form class="editor"[\s\S]*?<\/form>/.exec(page)?.[0] ?? '';
  const field = (name: string) => decode(new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '');
  const [, area = ''] = /<textarea[^>]*>\n?([\s\S]*?)<\/textarea>/.exec(form) ?? [];
  const text = decode(area);
  return {
    page,
    text,
    fields: {
      path: field('path'),
      cr: field('cr'),
      oid: field('oid'),
      revision: field('revision'),
      subject: 'Better words',
      text: text.replaceAll('\n', '\r\n'),
    },
  };
}

const save = (fields: Record<string, string>, action = 'save', headers = {}) =>
  pages.post(`/spaces/${spaceId}/edit`, { ...fields, action }, { cookie, ...headers });

async function bytesOf(path: string, cr: string): Promise<string> {
  const { body } = await pages.platform.api(
    'GET',
    `/spaces/${spaceId}/editing/source?path=${encodeURIComponent(path)}&changeRequest=${cr}`,
  );
  return body.text;
}

const numberIn = (answer: Response) => /cr=(\d+)/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';

describe('the editor without its script', () => {
  test('saves one line into a new change request, and no other byte', async () => {
    const { fields } = await open('guide.md');
    const text = fields.text.replace('Two', 'Second');
    const answer = await save({ ...fields, text });
    expect(answer.status).toBe(303);
    const number = numberIn(answer);
    expect(await bytesOf('guide.md', number)).toBe(guide.replace('Two', 'Second'));
    const after = await open('guide.md', number);
    expect(after.text).toContain('Second');
    expect(after.page).toContain('Better words');
  });

  test('saves nothing where nothing was changed', async () => {
    const before = await pages.platform.api('GET', `/spaces/${spaceId}/change-requests`);
    const { fields } = await open('guide.md');
    const answer = await save(fields);
    expect(answer.headers.get('location')).toContain('done=unchanged');
    const after = await pages.platform.api('GET', `/spaces/${spaceId}/change-requests`);
    expect(after.body.count).toBe(before.body.count);
  });

  test('shows text as it is, whatever it contains', async () => {
    const { text, fields } = await open('tag.md');
    expect(text).toBe('\n<textarea>&amp;</textarea>\n');
    expect((await save(fields)).headers.get('location')).toContain('done=unchanged');
  });

  test('previews the text and says what is broken', async () => {
    const { fields } = await open('README.md');
    const answer = await save(
      { ...fields, text: '# Hello\n\n[no](nowhere.md) [Guide](guide.md)' },
      'preview',
    );
    const page = await answer.text();
    expect(page).toContain('<h2 id="hello">');
    expect(page).toMatch(/Line 3: <code>nowhere\.md<\/code>/);
    expect(readForm(page).text).toContain('[no](nowhere.md)');
    expect(readForm(page).fields.oid).toBe(fields.oid);
  });

  test('merges what somebody else saved meanwhile in other lines', async () => {
    const number = numberIn(
      await save({ ...(await open('guide.md')).fields, text: guide.replace('One', '1') }),
    );
    const [mine, theirs] = [await open('guide.md', number), await open('guide.md', number)];
    await save({ ...theirs.fields, text: theirs.fields.text.replace('Three', '3') });
    const answer = await save({ ...mine.fields, text: mine.fields.text.replace('Set up', 'Start') });
    expect(answer.headers.get('location')).toContain('done=merged');
    expect(await bytesOf('guide.md', number)).toBe(
      guide.replace('One', '1').replace('Three', '3').replace('Set up', 'Start'),
    );
  });

  test('shows both versions of a line that two changed, and saves what the writer makes of it', async () => {
    const number = numberIn(
      await save({ ...(await open('guide.md')).fields, text: guide.replace('One', '1') }),
    );
    const [mine, theirs] = [await open('guide.md', number), await open('guide.md', number)];
    await save({ ...theirs.fields, text: theirs.fields.text.replace('Two', 'Theirs') });
    const answer = await save({ ...mine.fields, text: mine.fields.text.replace('Two', 'Mine') });
    expect(answer.status).toBe(409);
    const shown = readForm(await answer.text());
    expect(shown.page).toContain('Nothing was lost');
    expect(shown.text).toContain('<<<<<<< yours\nMine\n=======\nTheirs\n>>>>>>> saved meanwhile\n');
    expect(await bytesOf('guide.md', number)).toContain('Theirs');
    // A second press of the button does not make a page of the marks.
    const undecided = await save({ ...shown.fields, text: shown.text });
    expect(undecided.status).toBe(409);
    const again = readForm(await undecided.text());
    expect(again.page).toContain('Line 6 begins a part with both versions');
    expect(again.text).toBe(shown.text);
    expect(await bytesOf('guide.md', number)).not.toContain('yours');
    const solved = shown.text.replace(/<<<<<<<[\s\S]*>>>>>>> saved meanwhile\n/, 'Both\n');
    expect((await save({ ...shown.fields, text: solved })).status).toBe(303);
    expect(await bytesOf('guide.md', number)).toBe(guide.replace('One', '1').replace('Two', 'Both'));
  });

  test('begins a file that does not exist', async () => {
    const { fields, text, page } = await open('new/page.md');
    expect(text).toBe('');
    expect(page).toContain('There is no file at this path here.');
    expect((await open('guide.md')).page).not.toContain('There is no file');
    const number = numberIn(await save({ ...fields, text: '# New\r\n' }));
    expect(await bytesOf('new/page.md', number)).toBe('# New\n');
  });

  test('asks for review', async () => {
    const { fields } = await open('README.md');
    const answer = await save({ ...fields, text: '# Home\n' }, 'review');
    expect(answer.headers.get('location')).toMatch(/\/change-requests\/\d+\?done=asked#docloom-add$/);
    const number = answer.headers.get('location')?.split(/[/?]/).at(-2);
    const { body } = await pages.platform.api('GET', `/spaces/${spaceId}/change-requests/${number}`);
    expect(body.status).toBe('open');
  });

  test('is closed to those who may only read', async () => {
    const { token } = await createMember(pages.platform, 'Reader', { role: 'read' });
    const reader = await pages.signIn(token);
    const path = `/spaces/${spaceId}/edit?path=guide.md`;
    expect((await pages.get(path, { cookie: reader })).status).toBe(404);
    const { fields } = await open('guide.md');
    expect((await pages.post(`/spaces/${spaceId}/edit`, fields, { cookie: reader })).status).toBe(404);
  });

  test('takes no form of another site', async () => {
    const { fields } = await open('guide.md');
    expect((await save(fields, 'save', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

describe('what the script asks for', () => {
  const json = { accept: 'application/json' };

  test('a save answers with the file as it is then', async () => {
    const { fields } = await open('guide.md');
    const answer = await (await save({ ...fields, text: '# Guide\n' }, 'save', json)).json();
    expect(answer).toMatchObject({
      kind: 'saved',
      cr: expect.any(Number),
      oid: expect.stringMatching(/^\w{40}$/),
    });
    const gone = await (await save({ ...fields, cr: '999' }, 'save', json)).json();
    expect(gone.problem).toContain('999');
  });

  test('a check answers with verdicts and the page', async () => {
    const answer = await pages.post(
      `/spaces/${spaceId}/edit/check`,
      { path: 'README.md', cr: 'new', text: '# Hi\n\n<script>alert(1)</script>\n\n[no](nowhere.md)' },
      { cookie, ...json },
    );
    const body = await answer.json();
    expect(body.references).toMatchObject([{ verdict: 'broken', line: 5 }]);
    expect(body.html).toContain('<h2 id="hi">');
    expect(body.html).not.toContain('<script');
  });
});

describe('an upload', () => {
  const upload = (name: string, bytes: Buffer, cr: string, headers = {}) => {
    const body = new FormData();
    body.set('path', 'guide.md');
    body.set('cr', cr);
    body.set('file', new File([new Uint8Array(bytes)], name));
    const init = { method: 'POST', body, redirect: 'manual', headers: { cookie, ...headers } } as const;
    return fetch(`${pages.url}/spaces/${spaceId}/edit/files`, init);
  };

  test('is stored beside the page, never over another file', async () => {
    const first = await (await upload('Shot 1.png', png, 'new', { accept: 'application/json' })).json();
    expect(first).toMatchObject({ file: 'shot-1.png', reference: '![shot 1](shot-1.png)' });
    const answer = await upload('Shot 1.png', png, String(first.cr));
    expect(await answer.text()).toContain('![shot 1 2](shot-1-2.png)');
    const { body } = await pages.platform.api(
      'GET',
      `/spaces/${spaceId}/change-requests/${first.cr}/content/files`,
    );
    expect(body.items.map(({ git }: { git: { path: string } }) => git.path)).toEqual([
      'shot-1-2.png',
      'shot-1.png',
    ]);
  });

  test('of something else is refused with a sentence', async () => {
    const answer = await upload('a.png', Buffer.from('<html>'), 'new');
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('no PNG, JPEG');
  });
});
