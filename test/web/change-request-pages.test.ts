/** The pages of change requests, as a browser without script uses them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMember, type TestMember } from '../platform/create-member.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let writer: TestMember;
let reviewer: TestMember;
let spaceId: string;
let cookies: { readonly writer: string; readonly reviewer: string };

const write = (path: string, text: string) => ({ type: 'write', path, text });

beforeAll(async () => {
  pages = await startPages();
  const { api, organizationId } = pages.platform;
  writer = await createMember(pages.platform, 'Wanda <Writer>', { role: 'edit' });
  reviewer = await createMember(pages.platform, 'Rita Reviewer', { role: 'review' });
  cookies = {
    writer: await pages.signIn(writer.token),
    reviewer: await pages.signIn(reviewer.token),
  };
  spaceId = (await api('POST', `/orgs/${organizationId}/spaces`, { body: { title: 'Handbook' } })).body.id;
  await publish(
    write('README.md', '# Welcome\n\nOne two three.\n\n[Guide](guide.md)\n'),
    write('guide.md', '# Guide\n\nFirst.\n'),
  );
});
afterAll(() => pages.close());

async function begin(token: string, ...changes: object[]): Promise<{ place: string; address: string }> {
  const { api } = pages.platform;
  const { body } = await api('POST', `/spaces/${spaceId}/change-requests`, {
    token,
    body: { subject: 'Words' },
  });
  const place = `/spaces/${spaceId}/change-requests/${body.id}`;
  const changed = await api('POST', `${place}/content`, { token, body: { changes } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  return { place, address: `/spaces/${spaceId}/change-requests/${body.number}` };
}

async function publish(...changes: object[]): Promise<void> {
  const { token, api } = pages.platform;
  const { place } = await begin(token, ...changes);
  expect((await api('POST', `${place}/merge`)).status).toBe(200);
}

async function read(path: string, cookie = cookies.writer, status = 200): Promise<string> {
  const answer = await pages.get(path, { cookie });
  expect(answer.status, path).toBe(status);
  return await answer.text();
}

/** Sends a form of a page, and reads the page that it leads to. */
async function send(
  path: string,
  fields: Readonly<Record<string, string>>,
  cookie = cookies.writer,
): Promise<{ status: number; page: string }> {
  const answer = await pages.post(path, fields, { cookie });
  if (answer.status !== 303) return { status: answer.status, page: await answer.text() };
  return { status: 303, page: await read(answer.headers.get('location') ?? '', cookie) };
}

const words = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

/** What the home page says that its reader should look at. */
const needs = (page: string) =>
  words(/<section aria-labelledby="docloom-needs">[\s\S]*?<\/section>/.exec(page)?.[0] ?? '');

describe('a change request', () => {
  test('is written, reviewed, mended, approved and merged on its page', async () => {
    const created = await send(`/spaces/${spaceId}/change-requests`, { subject: 'Say it better' });
    expect(created.page).toContain('created as a draft');
    const { items } = (await pages.platform.api('GET', `/spaces/${spaceId}/change-requests?limit=1`)).body;
    const [{ id, number, urls }] = items;
    const address = `/spaces/${spaceId}/change-requests/${number}`;
    expect(new URL(urls.app).pathname).toBe(address);
    const place = `/spaces/${spaceId}/change-requests/${id}`;
    const change = async (text: string) =>
      await pages.platform.api('POST', `${place}/content`, {
        token: writer.token,
        body: { changes: [write('README.md', text)] },
      });
    await change('# Welcome\n\nOne 2 three.\n\n[Guide](guide.md#nowhere)\n');

    const edited = await send(`${address}/edit`, { subject: 'Say <it> best', description: 'Why **so**.' });
    expect(edited.page).toContain('Say &#60;it&#62; best');
    expect(edited.page).toContain('<strong>so</strong>');
    const asked = await send(`${address}/request`, { subject: `user:${reviewer.userId}` });
    expect(words(asked.page)).toContain('Requested by Wanda');

    await pages.platform.api('PATCH', `/spaces/${spaceId}`, {
      body: {
        mergeRules: {
          type: 'rules',
          rules: [{ rule: 'require_all_reviews_approved' }, { rule: 'require_at_least_one_review' }],
        },
      },
    });
    const waiting = await read(`/spaces/${spaceId}/change-requests?mine=review`, cookies.reviewer);
    expect(waiting).toContain(`href="${address}"`);
    const needed = needs(await read('/', cookies.reviewer));
    expect(needed).toContain('Review “Say &#60;it&#62; best”');
    expect(needed).not.toContain('asks for your review');
    const shown = await read(address, cookies.reviewer);
    expect(shown).toContain('One <del>two</del><ins>2</ins> three.');
    expect(words(shown)).toContain('README.md:5');
    const revision = /name="revision" value="([^"]+)"/.exec(shown)?.[1] ?? '';
    const refused = await send(
      `${address}/review`,
      { revision, status: 'changes-requested', markdown: 'The <link> is *wrong*.' },
      cookies.reviewer,
    );
    expect(words(refused.page)).toContain('Wants changes');
    expect(refused.page).toMatch(/The &#60;link&#62; is \*wrong\*\. <a href="[^"]+\/comments\/[^"]+">Answer/);
    expect(needs(await read('/', cookies.reviewer))).not.toContain('Review “');
    expect(needs(await read('/'))).toContain(
      'Rita Reviewer reviewed your change request “Say &#60;it&#62; best” in Handbook',
    );
    expect(needs((await send('/read-notifications', {})).page)).not.toContain('reviewed your');
    expect(words(refused.page)).toContain('Rita Reviewer requested changes and has not approved it since.');

    await change('# Welcome\n\nOne 2 three.\n\n[Guide](guide.md)\n');
    const late = await send(`${address}/review`, { revision, status: 'approved' }, cookies.reviewer);
    expect(late.status).toBe(409);
    expect(late.page).toContain('was changed after you read it');
    const now = /name="revision" value="([^"]+)"/.exec(late.page)?.[1] ?? '';
    const approved = await send(`${address}/review`, { revision: now, status: 'approved' }, cookies.reviewer);
    expect(words(approved.page)).toContain('Ready to merge');
    expect(words(await read(address))).toContain('Merging takes the role review; yours is edit.');
    const merged = await send(`${address}/merge`, {}, cookies.reviewer);
    expect(words(merged.page)).toContain('It was merged: readers see it now.');
    expect(words(merged.page)).toContain('Rita Reviewer merged 1 changed file');
    await pages.platform.api('PATCH', `/spaces/${spaceId}`, { body: { mergeRules: { type: 'none' } } });
  });

  test('shows pages as they are rendered or written, moves, new and removed pages', async () => {
    const { address } = await begin(
      writer.token,
      { type: 'move', from: 'guide.md', to: 'manual.md' },
      write('new.md', '# New page\n\n<script>alert(1)</script>\n'),
      write('README.md', '# Welcome\n\nShort.\n'),
    );
    const rendered = await read(address);
    expect(rendered).toContain('guide.md → manual.md');
    expect(rendered).not.toContain('<script>alert');
    expect(words(rendered)).toContain('Added New page');
    const source = await read(`${address}?as=source`);
    expect(source).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
    const one = await read(`${address}?file=README.md&show=source`);
    expect(one.match(/class="source-diff"/g)).toHaveLength(1);
    const archived = await send(`${address}/status`, { status: 'archived' });
    expect(words(archived.page)).toContain('Reopen');
    expect(words((await send(`${address}/status`, { status: 'open' })).page)).toContain(
      'It is open for review.',
    );
  });

  testAtLength('whose conflicts are decided one by one', async () => {
    const { address } = await begin(
      writer.token,
      write('guide.md', '# Guide\n\nMine.\n'),
      write('other.md', '# Other\n'),
    );
    await publish(write('guide.md', '# Guide\n\nTheirs.\n'));
    expect(words(await read(address))).toContain('1 file changed in the space, too.');
    const page = await read(`${address}/conflicts`);
    expect(page).toContain('Mine.');
    expect(page).toContain('Theirs.');
    const hidden = Object.fromEntries(
      [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map((match) => [
        match[1] ?? '',
        match[2] ?? '',
      ]),
    );
    const marked = await send(`${address}/conflicts`, {
      ...hidden,
      'take-0': 'edit',
      'text-0': '# Guide\r\n\r\n<<<<<<< the space\r\nTheirs.\r\n',
    });
    expect(marked.status).toBe(400);
    expect(marked.page).toContain('still has lines that separate the two sides');
    const stale = await send(`${address}/conflicts`, { ...hidden, space: 'older', 'take-0': 'space' });
    expect(stale.page).toContain('changed meanwhile');
    const done = await send(`${address}/conflicts`, {
      ...hidden,
      'take-0': 'edit',
      'text-0': '# Guide\r\n\r\nBoth.\r\n',
    });
    expect(words(done.page)).toContain('It has what the space has now.');
    expect(await read(`${address}?as=source`)).toContain('Both.');
    expect(words(await read(`${address}/conflicts`))).toContain('There is no conflict');
  });

  test('is nothing for those who may not see it', async () => {
    const { address } = await begin(writer.token, write('x.md', '# X\n'));
    const guest = await createMember(pages.platform, 'Guest', { role: null });
    const cookie = await pages.signIn(guest.token);
    for (const path of [address, `${address}/conflicts`, `/spaces/${spaceId}/change-requests`])
      await read(path, cookie, 404);
    await read(`/spaces/${spaceId}/change-requests/999`, cookies.writer, 404);
  });
});
