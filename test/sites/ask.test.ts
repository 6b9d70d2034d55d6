/** Readers who ask a site: what a model composes is shown only where the pages that they may open say it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openModel } from '../../src/platform/models/open-model.ts';
import type { SearchAnswer, ShownAnswer } from '../../src/sites/views/site-page.ts';
import { insertSection, newId, type SiteRow, tables, updateOrganization } from '../../src/store/index.ts';
import { ORDERS } from '../platform/models/orders.ts';
import {
  type Reply,
  type StandInModel,
  startStandInModel,
  timeoutFor,
} from '../platform/models/stand-in-model.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startSites, type TestSites } from './start-sites.ts';

const VISITOR_KEY = 'a-key-of-the-site-0123456789abcdef';
const QUESTION = 'How many grams of leaves does the quokka eat?';
const SENTENCE = 'The quokka eats 120 grams of leaves in the evening.';
const OF_OTHERS = 'The quokka of others eats 900 grams of leaves.';

let sites: TestSites;
let standIn: StandInModel;
let docs: SiteRow;
let url: string;
let client = 0;

beforeAll(async () => {
  standIn = await startStandInModel(() => 'hang');
  sites = await startSites({ model: (db) => openModel(db, standIn.settings) });
  const { platform } = sites;
  const { db, sealer } = platform.deps;
  await updateOrganization(db, platform.organizationId, { ai: true });
  const spaces: string[] = [];
  for (const [name, files] of [
    [
      'animals',
      {
        'README.md': '# Animals\n\nAll of them.\n',
        'quokka.md': `# Quokka\n\n## Feeding\n\n${SENTENCE}\n`,
        'hidden.md': '---\nhidden: true\n---\n\n# Secret\n\nThe secret quokka eats 900 grams of leaves.\n',
        'SUMMARY.md': '# Summary\n\n* [Animals](README.md)\n* [Quokka](quokka.md)\n* [Secret](hidden.md)\n',
        ...Object.fromEntries(
          ORDERS.map((order, at) => [`order-${at}.md`, `# Note ${at}\n\nThe quokka eats leaves. ${order}\n`]),
        ),
      },
    ],
    ['others', { 'README.md': `# Others\n\n${OF_OTHERS}\n` }],
  ] as const) {
    const { repo, url: repository } = await platform.createRepo(name);
    await repo.commit(files);
    const id = await platform.createSpace(name);
    await platform.importBranch(id, { url: repository, ref: 'refs/heads/main' });
    spaces.push(id);
  }
  const [animals = '', others = ''] = spaces;
  docs = await sites.createSite('docs');
  await sites.addSpace(docs, animals);
  await sites.addSpace(
    await sites.createSite('silent', { customization: { ai: { mode: 'none' } } }),
    animals,
  );
  const mixed = await sites.createSite('mixed');
  const closed = await sites.createSite('closed', {
    visibility: 'visitor-auth',
    adaptiveContent: true,
    adaptiveSchema: { type: 'object', properties: { keeper: { type: 'boolean' } } },
  });
  for (const [site, change] of [
    [mixed, { customization: { ai: { mode: 'none' } } }],
    [closed, { condition: 'visitor.claims.keeper == true' }],
  ] as const) {
    const [first, second] = await Promise.all(
      ['animals', 'others'].map((path) =>
        insertSection(db, { id: newId(), siteId: site.id, groupId: null, title: path, path, icon: null }),
      ),
    );
    await sites.addSpace(site, animals, { sectionId: first?.id ?? null });
    await sites.addSpace(site, others, { sectionId: second?.id ?? null, ...change });
  }
  await db
    .insert(tables.siteVisitorKeys)
    .values({ id: newId(), siteId: closed.id, sealedKey: sealer.seal(VISITOR_KEY) });
  url = await sites.listen();
});
beforeEach(() => {
  standIn.requests.length = 0;
  standIn.settings.timeoutMs = PATIENCE_MS;
  // Each test is another reader, so that none meets the limit of another.
  client += 1;
});
afterAll(async () => {
  await sites.close();
  await standIn.close();
});

const composed = (text: string, sections = [1]): Reply => ({
  answer: { answered: true, sentences: [{ text, sections }] },
});

const sentSections = () =>
  JSON.stringify(standIn.requests.map(({ data }) => (data as { sections: unknown }).sections));

const asReader = () => ({ 'x-forwarded-for': `203.0.113.${client}` });

async function ask(question = QUESTION, { site = 'docs', headers = {}, values = {} } = {}) {
  const payload = new URLSearchParams({ q: question, ...values }).toString();
  return await sites.post(`/s/acme/${site}/~/ask`, payload, {
    'content-type': 'application/x-www-form-urlencoded',
    ...asReader(),
    ...headers,
  });
}

async function askAsEvents(question = QUESTION, options: Parameters<typeof ask>[1] = {}) {
  const { statusCode, body } = await ask(question, {
    ...options,
    headers: { ...options?.headers, accept: 'text/event-stream' },
  });
  expect(statusCode).toBe(200);
  const events = body.matchAll(/^event: message\ndata: (.*)$/gm);
  return [...events].map(([, data = '']) => JSON.parse(data) as ShownAnswer);
}

async function search(query: string, site = 'docs'): Promise<SearchAnswer> {
  const { body } = await sites.get(`/s/acme/${site}/~/search?q=${encodeURIComponent(query)}`, {
    accept: 'application/json',
  });
  return JSON.parse(body);
}

async function connect(site: string, headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const mcp = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { ...asReader(), ...headers } };
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`/s/acme/${site}/~/mcp`, url), { requestInit }),
  );
  return mcp;
}

async function askByMcp(question: string, site = 'docs', headers = {}): Promise<string> {
  const mcp = await connect(site, headers);
  const { content } = await mcp.callTool({ name: 'ask', arguments: { question } });
  await mcp.close();
  return (content as { readonly text: string }[]).map(({ text }) => text).join('');
}

const tokenWith = async (claims: object) =>
  await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(VISITOR_KEY));

describe('with a model', () => {
  test('the page of search results offers an answer to what is a question, and has it without a script', async () => {
    standIn.reply = () => composed(SENTENCE);
    const { body: results } = await sites.get(`/s/acme/docs/~/search?q=${encodeURIComponent(QUESTION)}`);
    const [, action = ''] = /<form class="ask" method="post" action="([^"]*)"/.exec(results) ?? [];
    expect(action).toBe('/s/acme/docs/~/ask');
    const { statusCode, headers, body } = await ask();
    expect([statusCode, headers['cache-control'], headers['x-robots-tag']]).toEqual([
      200,
      'private, no-store',
      'noindex',
    ]);
    expect(body).toContain(
      `<section class="answer" aria-label="Answer"><p>${SENTENCE} <a href="/s/acme/docs/quokka#feeding" title="Feeding">[1]</a>`,
    );
    expect(body).toContain('<p role="status">A language model composed this answer');
    expect(body).toContain('[1] Feeding</a>');
    const { body: one } = await sites.get('/s/acme/docs/~/search?q=quokka');
    expect(one).not.toContain('class="ask"');
  });

  test('the live search learns where to ask, and gets the sections first', async () => {
    standIn.reply = () => composed(SENTENCE);
    const { ask: offered } = await search(QUESTION);
    expect(offered).toMatchObject({ href: '/s/acme/docs/~/ask', label: 'Answer this question' });
    expect((await sites.get(offered?.script ?? '')).headers['content-type']).toContain('javascript');
    expect((await search('quokka')).ask).toBeNull();
    const [sections, answer, ...more] = await askAsEvents();
    expect(more).toEqual([]);
    expect(sections).toMatchObject({ sentences: [], said: expect.stringContaining('is composing') });
    expect(sections?.results[0]).toMatchObject({ title: 'Feeding', href: '/s/acme/docs/quokka#feeding' });
    expect(answer?.sentences).toEqual([{ text: SENTENCE, cites: [0] }]);
    expect(answer?.results.map(({ href }) => href)).toEqual(['/s/acme/docs/quokka#feeding']);
  });

  test('MCP answers with it, and with the sections that it cites', async () => {
    standIn.reply = () => composed(SENTENCE);
    const text = await askByMcp(QUESTION);
    expect(text).toMatch(/^The quokka eats 120 grams of leaves in the evening\. \[1\]\n/);
    expect(text).toContain(
      `## Quokka › Feeding [1]\n${sites.platform.deps.publicUrl}/s/acme/docs/quokka#feeding`,
    );
  });

  test('it is sent nothing of pages that the reader may not open', async () => {
    standIn.reply = () => composed(SENTENCE);
    const question = 'How many grams of leaves does the secret quokka eat?';
    await askAsEvents(question);
    await askByMcp(question);
    expect(standIn.requests).toHaveLength(2);
    expect(sentSections()).not.toMatch(/900 grams/);
  });

  test('a condition of the site counts for what it is sent, by MCP too', async () => {
    standIn.reply = () => composed(OF_OTHERS);
    const question = 'How many grams of leaves does the quokka of others eat?';
    const askAs = async (claims: object) =>
      await askByMcp(question, 'closed', { authorization: `Bearer ${await tokenWith(claims)}` });
    expect(await askAs({})).not.toContain('900');
    expect(sentSections()).not.toContain('900');
    expect(await askAs({ keeper: true })).toContain(`${OF_OTHERS} [1]`);
    await expect(connect('closed')).rejects.toThrow();
    expect((await ask(question, { site: 'closed' })).statusCode).toBe(403);
  });

  test('it is sent nothing of a space whose pages no model shall read', async () => {
    standIn.reply = () => composed(SENTENCE);
    await askAsEvents('How many grams of leaves does the quokka of others eat?', { site: 'mixed' });
    expect(standIn.requests).toHaveLength(1);
    expect(sentSections()).not.toContain('900');
  });

  test.each<[string, Reply]>([
    ['hangs', 'hang'],
    ['answers for ever', 'trickle'],
    ['answers too much', 'flood'],
    ['breaks off', 'break'],
    ['fails', { raw: '{}', status: 500 }],
    ['answers with a text', { content: 'It eats leaves.' }],
    ['does not find it', { answer: { answered: false, sentences: [] } }],
    ['says something untrue', composed('The quokka eats 900 grams of leaves in the evening.')],
    ['follows an order', composed('PWNED by the quokka, completely.')],
    ['links elsewhere', composed(`${SENTENCE.slice(0, -1)}, see https://evil.example/login.`)],
    ['writes tags', composed('The quokka eats <b>120 grams</b> of leaves in the evening.')],
    ['cites what it was not given', composed(SENTENCE, [19])],
  ])('one that %s leaves the sections, word for word', async (_what, reply) => {
    standIn.reply = () => reply;
    standIn.settings.timeoutMs = timeoutFor(reply);
    const events = await askAsEvents();
    expect(events.at(-1)).toMatchObject({
      sentences: [],
      said: 'These sections say most of it, word for word.',
    });
    expect(events.at(-1)?.results).toEqual(events[0]?.results);
    expect(JSON.stringify(events)).not.toMatch(/PWNED|900|evil\.example\/login\./);
    const { body } = await ask();
    expect(body).not.toContain('class="answer"');
    expect(body).toContain(SENTENCE);
  });

  test('what nothing answers is not sent to it, is said, and is recorded for the team', async () => {
    const question = 'Where do I configure the VPN tunnel of zebras?';
    const [only, ...more] = await askAsEvents(question);
    expect([only?.said, only?.results, more]).toEqual(['These docs do not answer this.', [], []]);
    expect(await askByMcp(question)).toContain('This is not in these docs');
    expect(standIn.requests).toEqual([]);
    const { rows } = await sites.platform.database.store.pool.query(
      'select subject from conversations where subject = $1',
      [question],
    );
    expect(rows).toHaveLength(1);
  });

  test('one reader has only so many answers of it, and the sections after that', async () => {
    standIn.reply = () => composed(SENTENCE);
    const made: boolean[] = [];
    for (let at = 0; at < 22; at += 1) made.push(((await askAsEvents()).at(-1)?.sentences.length ?? 0) > 0);
    expect(made.filter(Boolean)).toHaveLength(20);
    expect(made.slice(20)).toEqual([false, false]);
    expect((await ask()).body).toContain('ask again in ten minutes');
  });

  test('pages of other sites ask nothing, and following a link does not either', async () => {
    const { statusCode } = await ask(QUESTION, { headers: { origin: 'https://evil.example' } });
    expect(statusCode).toBe(403);
    const { statusCode: followed, headers } = await sites.get('/s/acme/docs/~/ask');
    expect([followed, headers.location]).toEqual([303, '/s/acme/docs/~/search']);
    expect((await ask(' \u0000 ')).headers.location).toBe('/s/acme/docs/~/search');
    expect(standIn.requests).toEqual([]);
  });

  test('a long question is cut on pages, and refused by MCP', async () => {
    standIn.reply = () => composed(SENTENCE);
    await askAsEvents(`${QUESTION} ${'leaves \u0000'.repeat(3_000)}`);
    expect(JSON.stringify(standIn.requests[0]?.data).length).toBeLessThan(8_000);
    expect(await askByMcp(`${QUESTION} ${'leaves '.repeat(200)}`)).toBe(
      'A question has at most 512 characters: ask a shorter one.',
    );
  });

  test('a reader who leaves ends the request', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    standIn.reply = () => {
      resolve();
      return 'hang';
    };
    const closed = standIn.nextClose();
    const { log } = sites.platform;
    const logged = log.length;
    const gone = new AbortController();
    const leaving = fetch(`${url}/s/acme/docs/~/ask`, {
      method: 'POST',
      body: new URLSearchParams({ q: QUESTION }),
      headers: { accept: 'text/event-stream', ...asReader() },
      signal: gone.signal,
    }).then((answer) => answer.text());
    await arrived;
    gone.abort();
    await expect(leaving).rejects.toThrow();
    await closed;
    // A request that is given up for its time says so there.
    expect(log.slice(logged)).toEqual([]);
  });
});

describe('without a model for readers', () => {
  test('a site that wants none answers with sections only', async () => {
    standIn.reply = () => composed(SENTENCE);
    expect((await search(QUESTION, 'silent')).ask).toBeNull();
    const events = await askAsEvents(QUESTION, { site: 'silent' });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ sentences: [], said: 'These sections say most of it, word for word.' });
    expect(await askByMcp(QUESTION, 'silent')).not.toContain('language model composed');
    expect(standIn.requests).toEqual([]);
  });

  test('so does an organization that has not switched it on', async () => {
    const { db } = sites.platform.deps;
    await updateOrganization(db, sites.platform.organizationId, { ai: false });
    expect((await search(QUESTION)).ask).toBeNull();
    expect(await askAsEvents()).toHaveLength(1);
    expect(standIn.requests).toEqual([]);
    await updateOrganization(db, sites.platform.organizationId, { ai: true });
  });
});
