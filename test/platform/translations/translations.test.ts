import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeriver, openModel } from '../../../src/platform/index.ts';
import { loadRevision, tables, updateTranslation } from '../../../src/store/index.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let host: Server;
/** Every text that the stand-in was asked for, in order. */
let asked: string[] = [];
/** What it answers to a text; null for none, a number for a status. */
let answerTo: (text: string) => string | null = (text) => upper(text);
let statuses: (number | 'hang')[] = [];
let lastBody: { messages: { content: string }[] } = { messages: [] };

const upper = (text: string) =>
  text.replace(/(<[^>]*>|&\w+;)|([^<&]+)/g, (_all, mark = '', words = '') => mark + words.toUpperCase());

beforeAll(async () => {
  host = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = statuses.shift();
      if (status === 'hang') return void request.socket.destroy();
      if (status !== undefined) return void response.writeHead(status, { 'retry-after': '1' }).end('{}');
      lastBody = JSON.parse(Buffer.concat(chunks).toString());
      const texts: Record<string, string> = JSON.parse(lastBody.messages[1]?.content ?? '{}');
      asked.push(...Object.values(texts));
      const answers = Object.fromEntries(
        Object.entries(texts).flatMap(([key, text]) => {
          const answer = answerTo(text);
          return answer === null ? [] : [[key, answer]];
        }),
      );
      const content = `Here you go!\n\`\`\`json\n${JSON.stringify(answers)}\n\`\`\``;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  platform = await startPlatform({ withJobs: false });
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/v1`;
  Object.assign(platform.deps, {
    translators: { maxWords: 10_000, requestsPerMinute: 10_000 },
    model: openModel(platform.deps.db, {
      url,
      key: 'sk-secret',
      model: 'm',
      tokensPerDay: 10_000_000,
      timeoutMs: PATIENCE_MS,
    }),
  });
  const { startPlatformJobs } = await import('../../../src/platform/index.ts');
  await startPlatformJobs(platform.deps);
});
afterAll(async () => {
  await platform.deps.model?.close();
  await platform.close();
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
});

const pages = {
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Set up](guide/setup.md)\n',
  'README.md': `---
description: Where everything begins
---

# Home

Read [how to *set up*](guide/setup.md#first-steps), then \`npm start\`.

{% hint style="info" %}
A hint of **some** weight.
{% endhint %}

* An item
* Another item

| Name | Meaning |
| ---- | ------- |
| \`a\` | The first |

![A picture](pic.png)
`,
  'guide/setup.md':
    '# Set up\n\n## First steps\n\nBack [home](../README.md#home), or to [the end](#the-end).\n\n## The end\n\nDone.\n',
  'pic.png': 'not much of a picture',
};

async function importSpace(name: string, files: Record<string, string> = pages) {
  const { repo, url } = await platform.createRepo(name);
  await repo.commit(files);
  const spaceId = await platform.createSpace(name);
  const { state } = await platform.importBranch(spaceId, { url });
  expect(state).toBe('success');
  return { repo, url, spaceId };
}

const base = () => `/orgs/${platform.organizationId}/translations`;

async function create(space: string, body: object = {}) {
  const answer = await platform.api('POST', base(), { body: { source: { space }, language: 'de', ...body } });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

async function run(id: string) {
  const before = (await platform.api('GET', `${base()}/${id}`)).body.stats.runs;
  expect((await platform.api('POST', `${base()}/${id}/run`)).status).toBe(204);
  let body: ReturnType<typeof JSON.parse>;
  return await waitFor(
    async () => {
      ({ body } = await platform.api('GET', `${base()}/${id}`));
      return body.stats.runs > before && ['completed', 'failed'].includes(body.status) && body;
    },
    () => `${JSON.stringify(body)}; ${platform.log.join('\n')}`,
  );
}

/** A page as it stands in the result; '' is the first one. */
async function markdownOf(space: string, path: string): Promise<string> {
  const { body: content } = await platform.api('GET', `/spaces/${space}/content`);
  const at = path === '' ? `page/${content.pages[0].id}` : `path/${encodeURIComponent(path)}`;
  const { body } = await platform.api('GET', `/spaces/${space}/content/${at}?format=markdown`);
  return body.markdown;
}

/** The texts of the translation memory that no page has any more. */
async function listUnneeded(id: string): Promise<readonly string[]> {
  const { translationMemory: memory } = tables;
  const rows = await platform.deps.db
    .select({ source: memory.source })
    .from(memory)
    .where(and(eq(memory.translationId, id), isNotNull(memory.unneededSince)))
    .orderBy(memory.source);
  return rows.map(({ source }) => source);
}

async function brokenOf(space: string): Promise<number> {
  const { body } = await platform.api('GET', `/spaces/${space}/links?status=broken`);
  return body.stats.broken.total;
}

describe('a run', () => {
  testAtLength('marks the texts of every page and changes nothing else', async () => {
    const { spaceId } = await importSpace('pseudo');
    const id = await create(spaceId);
    const done = await run(id);
    expect(done).toMatchObject({ status: 'completed', provider: 'pseudo', problems: [] });
    expect(done.stats).toMatchObject({ runs: 1, latestPages: 3, latestRequests: 0, untranslated: 0 });
    const result = done.result.space;
    expect(await brokenOf(spaceId)).toBe(0);
    expect(await brokenOf(result)).toBe(0);
    const { body: space } = await platform.api('GET', `/spaces/${result}`);
    expect(space).toMatchObject({ title: 'pseudo (German, pseudo-locale)', language: 'de' });
    const setup = await markdownOf(result, 'guide/setup');
    expect(setup).toContain('<a href="#first-steps" id="first-steps"></a>');
    const home = await markdownOf(result, '');
    expect(home).toContain('(guide/setup.md#first-steps), ţĥéñ `npm start`.⟧');
    expect(home).toContain('{% hint style="info" %}\n⟦Á ĥíñţ óƒ **šóɱé** ŵéíĝĥţ.⟧\n{% endhint %}');
    expect(home).toContain('| `a` | ⟦Ţĥé ƒíŕšţ⟧ |');
    // The same again writes nothing.
    const again = await run(id);
    expect(again.result.revision).toBe(done.result.revision);
    expect(again.stats).toMatchObject({ runs: 2, latestPages: 0 });
  });

  testAtLength(
    'follows the agent instructions in texts that are new since, and keeps those that were translated',
    async () => {
      const { repo, url, spaceId } = await importSpace('guided', { 'README.md': '# One\n\nFirst text.\n' });
      const id = await create(spaceId, { provider: 'openai' });
      const instruct = async (text: string) => {
        const leaf = { object: 'leaf', text, marks: [] };
        const nodes = [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leaf] }] }];
        const instructions = { object: 'document', data: { schemaVersion: 1 }, nodes };
        const path = `/orgs/${platform.organizationId}/agent-instructions`;
        expect((await platform.api('PUT', path, { body: { instructions } })).status).toBe(200);
      };
      const write = async (text: string) => {
        await repo.commit({ 'README.md': `# One\n\nFirst text.\n\n${text}\n` });
        expect((await platform.importBranch(spaceId, { url })).state).toBe('success');
        asked = [];
        return await run(id);
      };
      asked = [];
      await run(id);
      // In which order the texts of a page are asked for is not said.
      expect(asked.toSorted()).toEqual(['First text.', 'One']);
      await instruct('Address the reader formally.');
      const done = await write('Second text.');
      expect(asked).toEqual(['Second text.']);
      expect(lastBody.messages[0]?.content).toContain('Address the reader formally.');
      expect(await markdownOf(done.result.space, '')).toContain('FIRST TEXT.\n\nSECOND TEXT.');
      await instruct('Be brief.');
      await write('Second text.\n\nThird text.');
      expect(asked).toEqual(['Third text.']);
      expect(lastBody.messages[0]?.content).not.toContain('formally');
      await instruct('');
      await write('Second text.');
      expect(asked).toEqual([]);
      expect(await listUnneeded(id)).toEqual(['Third text.']);
    },
  );

  testAtLength('keeps the declared format of the source, and the anchors of all its headings', async () => {
    const { repo, url } = await platform.createRepo('declared');
    const spaceId = await platform.createSpace('declared');
    await repo.commit({
      '.github/docloom.yml': 'spaces:\n  - { directory: docs, format: github }\n  - directory: api\n',
      // By these two files it would be GitBook's.
      'docs/.gitbook/assets/a.txt': 'a',
      'docs/SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
      'docs/README.md': '# Home page\n\n## Troubleshooting / FAQ\n\nText.\n',
      'api/README.md': '# API\n',
    });
    const request = { url, repoProjectDirectory: 'docs' };
    expect((await platform.importBranch(spaceId, request)).state).toBe('success');
    // A process that just started has nothing in memory.
    Object.assign(platform.deps, { deriver: createDeriver() });
    const done = await run(await create(spaceId));
    expect(done).toMatchObject({ status: 'completed', problems: [] });
    const result = done.result.space;
    const formatOf = async (space: string) => {
      const { body } = await platform.api('GET', `/spaces/${space}`);
      const row = await loadRevision(platform.deps.db, space, body.revision);
      return row?.format;
    };
    expect([await formatOf(spaceId), await formatOf(result)]).toEqual(['github', 'github']);
    const listing = async (space: string) => {
      const { body } = await platform.api('GET', `/spaces/${space}/content`);
      return body.pages.map(({ path }: { path: string }) => path);
    };
    const paths = await listing(spaceId);
    expect(await listing(result)).toEqual(paths);
    const home = await markdownOf(result, '');
    expect(home).toMatch(/^# ⟦.*⟧ <a id="home-page"><\/a>$/m);
    expect(home).toMatch(/^## ⟦.*⟧ <a id="troubleshooting--faq"><\/a>$/m);
    const { body: content } = await platform.api('GET', `/spaces/${result}/content`);
    expect(content.pages[0].title).toMatch(/^⟦[^<{]*⟧$/);

    // Edits of the source know the declared spaces, too.
    const { body: change } = await platform.api('POST', `/spaces/${spaceId}/change-requests`, { body: {} });
    Object.assign(platform.deps, { deriver: createDeriver() });
    const place = `/spaces/${spaceId}/change-requests/${change.id}`;
    const changes = [{ type: 'write', path: 'docs/README.md', text: '# Home page\n' }];
    expect((await platform.api('POST', `${place}/content`, { body: { changes } })).status).toBe(200);
    expect((await platform.api('POST', `${place}/merge`)).status).toBeLessThan(300);
    expect(await listing(spaceId)).toEqual(paths);
  });

  testAtLength('names pages that exceed a limit of the parser, and leaves them as they are', async () => {
    const deep = `${'> '.repeat(1_500)}A text.\n`;
    const { spaceId } = await importSpace('deep', { 'README.md': '# A\n', 'deep.md': deep });
    const done = await run(await create(spaceId));
    expect(done).toMatchObject({ status: 'completed' });
    expect(done.problems).toMatchObject([
      {
        path: 'deep.md',
        message: expect.stringMatching(/^The page was not translated\. This line nests more than/),
      },
    ]);
    expect(await markdownOf(done.result.space, 'deep')).toBe(deep);
  });

  it('sends only new texts, and preserves what people wrote', async () => {
    const { spaceId, repo, url } = await importSpace('memory');
    const glossary = [{ term: 'steps', translation: 'Schritte' }];
    const id = await create(spaceId, { provider: 'openai', glossary });
    asked = [];
    const done = await run(id);
    expect(done).toMatchObject({ status: 'completed', problems: [] });
    expect(asked).toContain('Read <g id="1">how to <g id="2">set up</g></g>, then <x id="3"/>.');
    expect(lastBody.messages[0]?.content).toContain('steps → Schritte');
    const sent = asked.length;
    expect(new Set(asked).size).toBe(sent);
    expect(await brokenOf(done.result.space)).toBe(0);

    // A person corrects one text of the result, and writes another with markup of their own.
    const result = done.result.space;
    const { body: change } = await platform.api('POST', `/spaces/${result}/change-requests`, { body: {} });
    const home = await markdownOf(result, '');
    const corrected = home
      .replace('AN ITEM', 'Ein Punkt')
      .replace(/A HINT OF .* WEIGHT\./, 'Ein Hinweis mit _Gewicht_.');
    expect(corrected).toContain('Ein Hinweis');
    const changed = await platform.api('POST', `/spaces/${result}/change-requests/${change.id}/content`, {
      body: { changes: [{ type: 'write', path: 'README.md', text: corrected }] },
    });
    expect(changed.status).toBeLessThan(300);
    const merged = await platform.api('POST', `/spaces/${result}/change-requests/${change.id}/merge`);
    expect(merged.status).toBeLessThan(300);

    await repo.commit({ ...pages, 'README.md': pages['README.md'].replace('Another item', 'A third item') });
    await platform.importBranch(spaceId, { url });
    asked = [];
    const next = await run(id);
    expect(next.status).toBe('completed');
    expect(asked).toEqual(['A third item']);
    const text = await markdownOf(result, '');
    expect(text).toContain('Ein Punkt');
    expect(text).toContain('Ein Hinweis mit _Gewicht_.');
    expect(text).toContain('A THIRD ITEM');
    expect(await listUnneeded(id)).toEqual(['Another item']);

    // A term touches the texts that hold it alone.
    asked = [];
    const body = { glossary: [...glossary, { term: 'done', translation: 'fertig' }] };
    expect((await platform.api('PUT', `${base()}/${id}`, { body })).status).toBe(200);
    expect((await run(id)).status).toBe('completed');
    expect(asked).toEqual(['Done.']);
    expect(await markdownOf(result, '')).toContain('Ein Punkt');

    // A text that comes back is needed again, and is not sent again.
    await repo.commit({ 'README.md': pages['README.md'] });
    await platform.importBranch(spaceId, { url });
    asked = [];
    expect((await run(id)).status).toBe('completed');
    expect(asked).toEqual([]);
    expect(await listUnneeded(id)).toEqual(['A third item', 'Done.']);
  });

  testAtLength('accepts no answer that would damage a page', async () => {
    const { spaceId } = await importSpace('bad');
    const bad: ((text: string) => string | null)[] = [
      (text) => text.replaceAll(/<[^>]*>/g, ''),
      (text) => `Sure! Here is your translation:\n\n${text}`,
      (text) => `${text} [link](gone.md)`,
      (text) => `${text} https://evil.example`,
      (text) => text.replace('<x id="3"/>', '<x id="3"/><x id="9"/>'),
      () => null,
      () => '',
      (text) => `# ${text}`,
      (text) => `<script>${text}`,
      (text) => upper(text),
    ];
    let turn = 0;
    answerTo = (text) => (bad[turn++ % bad.length] ?? upper)(text);
    statuses = [503, 'hang'];
    const id = await create(spaceId, { provider: 'openai' });
    const done = await run(id);
    answerTo = upper;
    expect(done.status).toBe('completed');
    expect(done.stats.untranslated).toBeGreaterThan(0);
    expect(done.problems[0]).toMatchObject({ message: expect.stringContaining('The text stayed as it is') });
    expect(await brokenOf(done.result.space)).toBe(0);
    expect(await markdownOf(done.result.space, '')).not.toMatch(/gone\.md|evil/);
    // What was refused is asked for again, and nothing else.
    asked = [];
    const next = await run(id);
    expect(next.stats.untranslated).toBe(0);
    expect(asked.length).toBeLessThanOrEqual(done.stats.untranslated);
  });

  it('fails with a message if the provider is not available', async () => {
    const { spaceId } = await importSpace('refused');
    statuses = [401];
    const id = await create(spaceId, { provider: 'openai' });
    const done = await run(id);
    expect(done).toMatchObject({ status: 'failed', error: expect.stringContaining('check OPENAI_API_KEY') });
    expect(JSON.stringify(done)).not.toContain('sk-secret');
    const other = await run(await create(spaceId, { provider: 'deepl' }));
    expect(other).toMatchObject({ status: 'failed', error: expect.stringContaining('set DEEPL_API_KEY') });
  });

  testAtLength('stops at the limit of words, and continues from there', async () => {
    const { spaceId } = await importSpace('capped');
    const { translators } = platform.deps;
    Object.assign(platform.deps, { translators: { ...translators, maxWords: 20 } });
    const id = await create(spaceId, { provider: 'openai' });
    asked = [];
    const first = await run(id);
    expect(first).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('TRANSLATION_MAX_WORDS'),
    });
    expect(first.stats.latestWords).toBeLessThanOrEqual(20);
    expect(first.result).toBeUndefined();
    Object.assign(platform.deps, { translators });
    const sent = asked.length;
    const done = await run(id);
    expect(done.status).toBe('completed');
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(sent);
  });
});

describe('the operations', () => {
  it('refuse instructions that nest without end, or that cannot be stored', async () => {
    const space = await platform.createSpace('Instructed');
    const nest = (start: string, end: string, levels: number) => start.repeat(levels) + end.repeat(levels);
    const block = (levels: number) => nest('{"object":"block","nodes":[', ']}', levels);
    const text = '{"object":"text","leaves":[{"object":"leaf","text":"half \\ud800","marks":[]}]}';
    const data = `{"object":"text","data":{"data":${nest('[', ']', 20_000)}}}`;
    for (const node of [block(60), block(9_000), text, data]) {
      const instructions = `{"object":"document","nodes":[${node}]}`;
      const body = `{"source":{"space":"${space}","language":"de"},"language":"fr","instructions":${instructions}}`;
      const refused = await platform.api('POST', base(), { body });
      expect([refused.status, refused.body.error.reason]).toEqual([400, 'invalid-request']);
    }
  });

  it('validate their input', async () => {
    const spaceId = await platform.createSpace('Checked');
    const source = { space: spaceId, language: 'de' };
    for (const body of [
      { source, language: 'de' },
      { source, language: 'xx' },
      { source, language: 'DE' },
      { source: { space: 'nowhere' }, language: 'fr' },
      { source, language: 'fr', instructions: 'plain' },
    ]) {
      const { status } = await platform.api('POST', base(), { body });
      expect([400, 404]).toContain(status);
    }
    const id = await create(spaceId);
    const { body: list } = await platform.api('GET', `${base()}?limit=1000`);
    expect(list.items.map((one: { id: string }) => one.id)).toContain(id);
    const reader = await createMember(platform, 'reader', { role: 'read' });
    const { token } = reader;
    expect((await platform.api('GET', `${base()}/${id}`, { token })).status).toBe(200);
    expect((await platform.api('POST', `${base()}/${id}/run`, { token })).status).toBe(403);
    expect((await platform.api('DELETE', `${base()}/${id}`)).status).toBe(204);
    expect((await platform.api('DELETE', `${base()}/${id}`)).status).toBe(204);
    expect((await platform.api('GET', `${base()}/${id}`)).status).toBe(404);
  });

  it.each([
    ['a blank term', { term: '\u2060 ', translation: 'x' }, 'glossary.1.term of the body must be one line'],
    [
      'a blank translation',
      { term: 'b', translation: ' ' },
      'glossary.1.translation of the body must be one',
    ],
    ['lines', { term: 'b\nc', translation: 'x' }, 'glossary.1.term of the body must be one line'],
    ['a term twice', { term: ' A ', translation: 'x' }, 'glossary.1.term of the body is the same term as gl'],
  ])('refuse a glossary with %s', async (_name, entry, message) => {
    const body = { source: { space: await platform.createSpace(), language: 'de' }, language: 'fr' };
    const glossary = [{ term: 'a', translation: 'b' }, entry];
    const id = await create(body.source.space);
    for (const refused of [
      await platform.api('POST', base(), { body: { ...body, glossary } }),
      await platform.api('PUT', `${base()}/${id}`, { body: { glossary } }),
    ]) {
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('store terms without the spaces around them, and show those of older versions as they are', async () => {
    const { api, deps } = platform;
    const id = await create(await platform.createSpace());
    const glossary = [{ term: ' a ', translation: 'b ' }];
    const { body: stored } = await api('PUT', `${base()}/${id}`, { body: { glossary } });
    expect(stored.glossary).toEqual([{ term: 'a', translation: 'b' }]);
    const old = ['a', 'A', ' '].map((term) => ({ term, translation: term }));
    await updateTranslation(deps.db, id, { glossary: old });
    expect(await api('GET', `${base()}/${id}`)).toMatchObject({ status: 200, body: { glossary: old } });
    const { status, body } = await api('PUT', `${base()}/${id}`, { body: { provider: 'pseudo' } });
    expect([status, body.glossary]).toEqual([200, old]);
  });

  it('answer about one whose source the caller may not see as about one that is not there', async () => {
    const id = await create(await platform.createSpace('Hidden'));
    const { token } = await createMember(platform, 'Guest', { role: null });
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { provider: 'pseudo' }],
      ['POST', '/run'],
      ['DELETE', ''],
    ] as const) {
      const ask = async (one: string) => {
        const request = { token, ...(body === undefined ? {} : { body }) };
        const answer = await platform.api(method, `${base()}/${one}${path}`, request);
        return [answer.status, answer.body];
      };
      expect([method, await ask(id)]).toEqual([method, await ask('a'.repeat(20))]);
    }
  });
});
