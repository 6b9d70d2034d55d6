/** Translations on the pages for people: their states, and texts that somebody corrects by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openModel, startPlatformJobs } from '../../src/platform/index.ts';
import { createMember } from '../platform/create-member.ts';
import { openAi, type StandIn, startTranslator } from '../platform/translations/stand-in-translator.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let translator: StandIn;
let admin: string;
let repo: Awaited<ReturnType<TestPages['platform']['createRepo']>>;
let spaceId: string;

const files = {
  'README.md':
    '---\ndescription: Where everything begins\n---\n\n# Home\n\nRead [the guide](guide.md) before you start.\n\n```sh\nnpm  start\n```\n\n*  An   item\n',
  'guide.md': '# Guide\n\nRead [the guide](guide.md) before you start.\n\nThe end.\n',
};

beforeAll(async () => {
  translator = await startTranslator(openAi, 'sk-secret');
  pages = await startPages({ withJobs: false });
  Object.assign(pages.platform.deps, {
    translators: { maxWords: 10_000, requestsPerMinute: 10_000 },
    model: openModel(pages.platform.deps.db, {
      url: `${translator.url}/v1`,
      key: 'sk-secret',
      model: 'm',
      tokensPerDay: 10_000_000,
      timeoutMs: PATIENCE_MS,
    }),
  });
  await startPlatformJobs(pages.platform.deps);
  admin = await pages.signIn();
  repo = await pages.platform.createRepo('translated');
  await repo.repo.commit(files);
  spaceId = await pages.platform.createSpace('Handbook');
  await pages.platform.importBranch(spaceId, { url: repo.url });
});
afterAll(async () => {
  await pages?.platform.deps.model?.close();
  await pages?.close();
  await translator?.close();
});

const org = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;

async function read(path: string, cookie = admin): Promise<string> {
  const answer = await pages.get(path, { cookie });
  expect([path, answer.status]).toEqual([path, 200]);
  return await answer.text();
}

async function create(): Promise<string> {
  const fields = { space: spaceId, language: 'de', provider: 'openai' };
  const answer = await pages.post(org('/translations/new'), fields, { cookie: admin });
  expect(answer.status).toBe(303);
  const path = answer.headers.get('location')?.split('?')[0] ?? '';
  await finish(path);
  return path;
}

/** Waits until nothing of a translation is to be run. */
async function finish(path: string) {
  let body: ReturnType<typeof JSON.parse>;
  return await waitFor(
    async () => {
      ({ body } = await pages.platform.api('GET', path));
      return ['completed', 'failed'].includes(body.status) && body;
    },
    () => `${JSON.stringify(body)} ${pages.platform.log.join('\n')}`,
  );
}

async function resultOf(path: string, file: string): Promise<string> {
  const { result } = await finish(path);
  const { body: content } = await pages.platform.api('GET', `/spaces/${result.space}/content`);
  const page = content.pages.find(({ git }: { git?: { path?: string } }) => git?.path === file);
  const at = `/spaces/${result.space}/content/page/${page.id}`;
  return (await pages.platform.api('GET', `${at}?format=markdown`)).body.markdown;
}

interface Row {
  readonly key: string;
  readonly state: string;
  readonly text: string;
}

/** The texts that a page shows. */
function rowsOf(html: string): readonly Row[] {
  return html
    .split('<li id="docloom-')
    .slice(1)
    .map((row) => ({
      key: row.slice(0, row.indexOf('"')),
      state: /class="state[^>]*>([^<]+)/.exec(row)?.[1] ?? '',
      text: row.split('</li>')[0] ?? '',
    }));
}

const pageOf = (path: string, file: string, more = '') =>
  `${path}/page?path=${encodeURIComponent(file)}${more}`;

/** Sends the form of the text that contains `part`, as the page shows it. */
async function correct(path: string, file: string, part: string, fields: Record<string, string>) {
  const found = rowsOf(await read(pageOf(path, file))).find(({ text }) => text.includes(part));
  const form = await read(pageOf(path, file, `&edit=${found?.key ?? ''}`));
  const hidden = Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
      .filter(([, name]) => name !== 'text')
      .map(([, name, value]) => [name ?? '', value ?? '']),
  );
  expect(hidden).toMatchObject({ key: found?.key, path: file });
  return await pages.post(`${path}/correct`, { ...hidden, act: 'save', ...fields }, { cookie: admin });
}

test('a correction is written into the result, holds in later runs, and is outdated when the source changes', async () => {
  const path = await create();
  expect(await read(org('/translations'))).toContain('Handbook in German');
  expect(await read(`${org('/translations')}?space=${spaceId}`)).toContain('Translations of Handbook');
  expect(await read(path)).toMatch(/README\.md<\/a>[\s\S]*?4 machine/);
  const before = await resultOf(path, 'README.md');
  expect(before).toContain('READ [THE GUIDE](guide.md) BEFORE YOU START.');

  const saved = await correct(path, 'README.md', 'the guide', {
    text: 'Lies zuerst\r\n[die Anleitung](guide.md).',
  });
  expect(saved.status).toBe(303);
  const key = decodeURIComponent(saved.headers.get('location')?.split('#docloom-')[1] ?? '');
  const written = 'Lies zuerst [die Anleitung](guide.md).';
  expect(await resultOf(path, 'README.md')).toBe(
    before.replace('READ [THE GUIDE](guide.md) BEFORE YOU START.', written),
  );
  // The same text on another page, which nobody corrected there.
  expect(await resultOf(path, 'guide.md')).toContain(written);
  const row = rowsOf(await read(pageOf(path, 'README.md'))).find((found) => found.key === key);
  expect(row).toMatchObject({ state: 'Corrected' });
  expect(row?.text).toContain('by ');
  expect(await read(`${path}?state=corrected`)).toContain('README.md');
  expect(await read(`${path}?state=missing`)).toContain('There is no such page');

  // Another run sends nothing, and changes nothing.
  const sent = translator.answered.length;
  await pages.post(`${path}/run`, {}, { cookie: admin });
  expect(await resultOf(path, 'README.md')).toContain(written);
  expect(translator.answered).toHaveLength(sent);

  const changed = files['README.md'].replace('before you start', 'before you begin');
  await repo.repo.commit({ 'README.md': changed });
  await pages.platform.importBranch(spaceId, { url: repo.url });
  expect(await read(path)).toContain('Behind its source');
  await pages.post(`${path}/run`, {}, { cookie: admin });
  expect(await resultOf(path, 'README.md')).toContain('READ [THE GUIDE](guide.md) BEFORE YOU BEGIN.');
  const outdated = rowsOf(await read(pageOf(path, 'README.md', '&state=outdated')));
  expect(outdated.map(({ state }) => state)).toEqual(['Outdated']);
  expect(outdated[0]?.text).toContain(written);
  expect(outdated[0]?.text).toContain('before you start');
  expect(await read(`${path}?state=outdated`)).toContain('1 outdated');
  // The form begins with what was written before.
  const form = await read(pageOf(path, 'README.md', `&edit=${outdated[0]?.key}`));
  expect(form).toContain(`>\n${written}</textarea>`);
  expect((await correct(path, 'README.md', 'you begin', { text: `${written} Dann` })).status).toBe(303);
  expect(await resultOf(path, 'README.md')).toContain(`${written} Dann`);
  expect(rowsOf(await read(pageOf(path, 'README.md', '&state=outdated')))).toEqual([]);

  // Taken back, the provider's translation is there again, without a request.
  const asked = translator.answered.length;
  expect((await correct(path, 'README.md', 'you begin', { act: 'remove' })).status).toBe(303);
  expect(await resultOf(path, 'README.md')).toContain('READ [THE GUIDE](guide.md) BEFORE YOU BEGIN.');
  expect(translator.answered).toHaveLength(asked);

  const { body: log } = await pages.platform.api('GET', `${org('/audit')}?action=translation.correct`);
  expect(log.items[0]).toMatchObject({
    action: 'translation.correct',
    actor: { kind: 'user' },
    before: { text: 'READ <g id="1">THE GUIDE</g> BEFORE YOU BEGIN.' },
    after: { space: spaceId, path: 'README.md', text: 'Lies zuerst <g id="1">die Anleitung</g>. Dann' },
  });
});

test('what is no correction is refused beside what was entered, and nothing is saved', async () => {
  const path = await create();
  const before = await resultOf(path, 'guide.md');
  const refusals: readonly (readonly [string, string])[] = [
    ['Lies [die Anleitung](https://evil.example).', 'other links'],
    ['Lies [die Anleitung](guide.md) **jetzt**.', 'other links'],
    ['Lies die Anleitung.', 'other links'],
    ['Lies [die Anleitung](guide.md) <script>alert(1)</script>', 'other links'],
    ['   ', 'it is empty'],
    ['x'.repeat(10_001), 'at most 10000 characters'],
  ];
  for (const [text, reason] of refusals) {
    const answer = await correct(path, 'guide.md', 'the guide', { text });
    const html = await answer.text();
    expect([text.slice(0, 60), answer.status]).toEqual([text.slice(0, 60), 400]);
    expect(/id="docloom-text-problem"[^>]*>([^<]+)/.exec(html)?.[1]).toContain(reason);
    expect(html).not.toContain('<script>alert');
  }
  const heading = await correct(path, 'guide.md', 'The end.', { text: '# Das Ende' });
  expect(heading.status).toBe(400);
  expect(await resultOf(path, 'guide.md')).toBe(before);

  // Two people have the same form open.
  const stale = { version: 'machine-1' };
  const second = await correct(path, 'guide.md', 'The end.', { text: 'Ende.', ...stale });
  expect(second.status).toBe(409);
  expect(await second.text()).toContain('changed meanwhile');
  const gone = await correct(path, 'guide.md', 'The end.', { text: 'Ende.', key: 'nothing' });
  expect([gone.status, (await gone.text()).includes('no longer has this text')]).toEqual([409, true]);
});

test('only who may change translations corrects, and only who sees the spaces sees their texts', async () => {
  const path = await create();
  const { token } = await createMember(pages.platform, 'Reader', { role: 'read' });
  const reader = await pages.signIn(token);
  const html = await read(pageOf(path, 'guide.md'), reader);
  expect(html).toContain('THE END.');
  expect(html).not.toContain('>Correct<');
  expect(await read(pageOf(path, 'guide.md', `&edit=${rowsOf(html)[1]?.key}`), reader)).not.toContain(
    '<textarea',
  );
  const answer = await pages.post(
    `${path}/correct`,
    { path: 'guide.md', key: rowsOf(html)[1]?.key ?? '', version: '', act: 'save', text: 'x' },
    { cookie: reader },
  );
  expect(answer.status).toBe(404);
  const { result } = await finish(path);
  // Guests see what spaces show them.
  const { token: guestToken } = await createMember(pages.platform, 'Guest', { role: null });
  const guest = await pages.signIn(guestToken);
  const statusOf = async () => (await pages.get(pageOf(path, 'guide.md'), { cookie: guest })).status;
  const show = async (id: string) => {
    const { status } = await pages.platform.api('PATCH', `/spaces/${id}`, { body: { defaultLevel: 'read' } });
    expect(status).toBe(200);
  };
  await show(result.space);
  expect(await statusOf()).toBe(404);
  await show(spaceId);
  expect(await statusOf()).toBe(200);
  for (const missing of [pageOf(path, 'gone.md'), pageOf(`${path}x`, 'guide.md'), pageOf(path, '../../etc')])
    expect((await pages.get(missing, { cookie: admin })).status).toBe(404);
  const foreign = await pages.post(
    `${path}/correct`,
    { path: 'guide.md', act: 'save', text: 'x' },
    { cookie: admin, origin: 'https://evil.example' },
  );
  expect(foreign.status).toBe(403);
});

test('settings: another provider, and deletion after a confirmation', async () => {
  const path = await create();
  const provider = await pages.post(`${path}/provider`, { provider: 'deepl' }, { cookie: admin });
  expect(provider.headers.get('location')).toBe(`${path}?done=saved`);
  expect(await read(path)).toContain('The provider deepl is not set up on this server');
  expect((await pages.post(`${path}/provider`, { provider: 'x' }, { cookie: admin })).status).toBe(400);
  expect((await pages.post(`${path}/delete`, {}, { cookie: admin })).status).toBe(400);
  expect((await pages.post(`${path}/delete`, { sure: 'yes' }, { cookie: admin })).status).toBe(303);
  expect((await pages.get(path, { cookie: admin })).status).toBe(404);
});
