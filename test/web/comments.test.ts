/** Comments on the pages for people, by what a browser without scripts sends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMember } from '../platform/create-member.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let admin: string;
let commenter: string;
let reader: string;
let spaceId: string;
let pageId: string;

beforeAll(async () => {
  pages = await startPages();
  admin = await pages.signIn();
  const { platform } = pages;
  commenter = await pages.signIn((await createMember(platform, 'Ada', { role: 'comment' })).token);
  reader = await pages.signIn((await createMember(platform, 'Reader', { role: 'read' })).token);
  spaceId = await platform.createSpace();
  const place = `/spaces/${spaceId}/change-requests`;
  const { id } = (await platform.api('POST', place, { body: { subject: 'Edit' } })).body;
  const text = '# Guide\n\nRun it once.\n\n- One\n- Two\n';
  await platform.api('POST', `${place}/${id}/content`, {
    body: { changes: [{ type: 'write', path: 'README.md', text }] },
  });
  await platform.api('POST', `${place}/${id}/merge`);
  pageId = (await platform.api('GET', `/spaces/${spaceId}/content/pages`)).body.pages[0].id;
});
afterAll(() => pages?.close());

const page = () => `/spaces/${spaceId}/pages/${pageId}`;
const comments = () => `/spaces/${spaceId}/comments`;
const read = async (path: string, cookie = admin) => await (await pages.get(path, { cookie })).text();

/** Comments on a block by the form of the page, and returns the address of the thread's page. */
async function comment(markdown: string, about = 'Run it once.', cookie = commenter): Promise<string> {
  const shown = await read(page(), cookie);
  const node = new RegExp(`<option value="([^"]+)"[^>]*>[^<]*${about}`).exec(shown)?.[1] ?? '';
  const fields = { markdown, page: pageId, node, back: page() };
  const answer = await pages.post(comments(), fields, { cookie });
  expect(answer.status).toBe(303);
  const [back, id = ''] = (answer.headers.get('location') ?? '').split('#docloom-thread-');
  expect(back).toBe(page());
  return `${comments()}/${id}`;
}

describe('comments on a page', () => {
  test('are not lost when the session has ended meanwhile', async () => {
    const markdown = '\nAn hour of\n<b>work</b> & "thoughts"\n';
    const fields = { markdown, page: pageId, node: '', back: page() };
    const html = { accept: 'text/html,*/*;q=0.8' };
    const answer = await pages.post(comments(), fields, html);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    const shown = await answer.text();
    expect(shown).toContain(`<form method="post" action="${comments()}">`);
    expect(shown).toContain(
      'name="markdown" rows="5">\n\nAn hour of\n&#60;b&#62;work&#60;/b&#62; &#38; &#34;thoughts&#34;\n</textarea>',
    );
    expect(shown).toContain(`<input type="hidden" name="page" value="${pageId}">`);
    // Scripts keep what they sent; nothing that may be a secret is sent back.
    expect((await pages.post(comments(), fields, { accept: 'application/json' })).status).toBe(303);
    const secret = await pages.post('/account/password', { current: 'a secret of mine' }, html);
    expect(secret.headers.get('location')).toBe('/login?next=%2Faccount%2Fpassword');
  });

  test('are written, answered, reacted to, resolved and reopened by forms', async () => {
    const thread = await comment('Is **this** so?');
    const shown = await read(page());
    expect(shown).toContain('<strong>this</strong>');
    // It stands below its text, which is not repeated there; its own page quotes it.
    expect(shown).toMatch(/<p>Run it once\.<\/p><div class="block-comments"[^>]*><a class="comment-here"/);
    expect(shown.indexOf('<strong>this</strong>')).toBeLessThan(shown.indexOf('<li>One'));
    const own = await read(thread);
    expect(own).toContain('<blockquote class="quoted"><p>Run it once.</p></blockquote>');
    expect(own).toContain(`${page()}#:~:text=Run%20it%20once.`);

    const back = { back: page() };
    const reply = await pages.post(`${thread}/reply`, { markdown: 'Yes.', ...back }, { cookie: admin });
    expect(reply.status).toBe(303);
    await pages.post(`${thread}/react`, { added: '🎉', ...back }, { cookie: admin });
    const answered = await read(thread);
    expect(answered).toContain('Yes.');
    expect(answered).toContain('🎉 1');

    await pages.post(`${thread}/resolve`, back, { cookie: commenter });
    expect(await read(page())).toContain('No open comments.');
    const resolved = await read(`${page()}?comments=resolved`);
    expect(resolved).toContain('Resolved</span> by Ada');
    await pages.post(`${thread}/reopen`, back, { cookie: admin });
    expect(await read(page())).not.toContain('No open comments.');
  });

  test('on a block are written in a form below it, to which its link leads without a script', async () => {
    const shown = await read(page(), commenter);
    const [, href = ''] =
      /<li>Two.*?<a class="comment-here" href="([^"]+)"[^>]*>Comment<span class="visually-hidden"> on “Two”/s.exec(
        shown,
      ) ?? [];
    const [address = ''] = href.replaceAll('&#38;', '&').split('#');
    const asked = await read(address, commenter);
    const form = /<li>Two.*?<form[^>]*id="docloom-comment-here">.*?name="node" value="([^"]+)"/s.exec(asked);
    expect(form?.[1]).toBe(new URL(address, pages.url).searchParams.get('node'));
    expect(asked.match(/id="docloom-comment-here"/g)).toHaveLength(2); // with that of the template
    expect(await read(page(), reader)).not.toContain('comment-here');
  });

  test('are edited, and deleted after a confirmation', async () => {
    const thread = await comment('Tow words', 'One');
    expect(await read(`${thread}/edit`, commenter)).toContain('Tow words</textarea>');
    await pages.post(`${thread}/edit`, { markdown: 'Two words' }, { cookie: commenter });
    expect(await read(thread)).toContain('edited');
    const asked = await read(`${thread}/delete`, commenter);
    expect(asked).toContain('will be gone for good');
    const gone = await pages.post(`${thread}/delete`, { back: thread }, { cookie: commenter });
    expect(gone.headers.get('location')).toBe(comments());
    expect((await pages.get(thread, { cookie: commenter })).status).toBe(404);
  });

  test('are refused with the text kept, and with what is wrong', async () => {
    const empty = await pages.post(comments(), { markdown: '  ', back: page() }, { cookie: commenter });
    expect(empty.status).toBe(400);
    expect(await empty.text()).toContain('The comment is empty');
    const lost = { markdown: 'Keep me', page: pageId, node: 'zzz', back: page() };
    const answer = await pages.post(comments(), lost, { cookie: commenter });
    const text = await answer.text();
    expect([answer.status, text.includes('Keep me</textarea>')]).toEqual([400, true]);
    expect(text).toContain('The block is not a node of this page now');
  });

  test('lead back only within their space', async () => {
    for (const back of ['https://evil.example/', '//evil.example', '/login', `/spaces/${spaceId}x`]) {
      const answer = await pages.post(comments(), { markdown: 'x', back }, { cookie: commenter });
      expect(answer.headers.get('location')).toMatch(new RegExp(`^${comments()}#`));
    }
  });

  test('are not there for readers, nor for other sites', async () => {
    expect(await read(page(), reader)).not.toContain('docloom-comments');
    expect((await pages.get(comments(), { cookie: reader })).status).toBe(404);
    const foreign = { cookie: commenter, 'sec-fetch-site': 'cross-site' };
    expect((await pages.post(comments(), { markdown: 'x' }, foreign)).status).toBe(403);
  });

  test('say that their text is gone', async () => {
    const { platform } = pages;
    const thread = await comment('About two', 'Two');
    await platform.deps.db.execute(`update comments set node = null where quote = 'Two'`);
    const text = await read(thread);
    expect(text).toContain('The text that this was about is no longer on the page:');
    expect(text).toContain('<p>Two</p>');
  });
});

test('mails about comments are switched off in the account', async () => {
  const cookie = commenter;
  expect(await read('/account', cookie)).toContain('name="mail" checked');
  const off = await pages.post('/account/notifications', {}, { cookie });
  expect(off.headers.get('location')).toBe('/account?done=notifications');
  expect(await read('/account', cookie)).toContain('name="mail"> ');
});
