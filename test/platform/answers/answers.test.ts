/** Questions are answered from what the asker may read, word for word and with anchors, or not at all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerEvent, AskAnswer } from '../../../src/contract/index.ts';
import { tables } from '../../../src/store/index.ts';
import { stayInDay } from '../../support/stay-in-day.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const PAGES = {
  'README.md': '# Pets\n\nAll about pets.\n',
  'feeding.md':
    '# Feeding\n\nPets eat.\n\n## Cats\n\nA cat gets 200 grams of wet food in the evening. It drinks water.\n\n## Parrots\n\nParrots eat seeds, nuts and fruit.\n',
  'travel.md':
    '# Travelling\n\n## Passports\n\nA dog needs a passport and a rabies vaccination to cross the border.\n',
};

let platform: TestPlatform;
let open: string;
let secret: string;
let siteId: string;

beforeAll(async () => {
  platform = await startPlatform();
  const spaces = [];
  for (const [name, files] of [
    ['open', PAGES],
    [
      'secret',
      {
        'README.md':
          '# Vault\n\n## Combination\n\nThe combination of the vault is written in the red notebook.\n',
      },
    ],
  ] as const) {
    const { repo, url } = await platform.createRepo(name);
    await repo.commit(files);
    const spaceId = await platform.createSpace(name);
    expect(await platform.importBranch(spaceId, { url })).toMatchObject({ state: 'success' });
    spaces.push(spaceId);
  }
  [open, secret] = spaces as [string, string];
  await platform.api('PATCH', `/spaces/${open}`, { body: { visibility: 'public' } });
  const { body: site } = await platform.api('POST', `/orgs/${platform.organizationId}/sites`, {
    body: { title: 'Pets', visibility: 'public', spaces: [open] },
  });
  siteId = site.id;
  expect(site).toMatchObject({ object: 'site' });
});
afterAll(() => platform.close());

async function ask(spaceId: string, query: string, format = 'markdown'): Promise<AskAnswer> {
  const { status, body } = await platform.api('POST', `/spaces/${spaceId}/ask?format=${format}`, {
    body: { query },
  });
  expect(status).toBe(200);
  return body.answer;
}

const partsOf = ({ sources }: AskAnswer) => sources.flatMap(({ passages }) => passages);

function eventsIn(text: string): AnswerEvent[] {
  const events = text
    .trim()
    .split('\n\n')
    .map((event) => event.split('\n'));
  expect(events.at(-1)).toEqual(['event: done', 'data: {}']);
  return events.slice(0, -1).map(([name, data = '']) => {
    expect(name).toBe('event: message');
    return JSON.parse(data.slice('data: '.length));
  });
}

test('the best section is shown word for word, with its anchor and its page', async () => {
  const answer = await ask(open, 'How much food does my cat need in the evenings?');
  expect(answer).toMatchObject({ madeBy: 'sections', followupQuestions: [] });
  const [best] = partsOf(answer);
  expect(best).toMatchObject({
    id: 'cats',
    title: 'Cats',
    path: 'feeding#cats',
    text: 'A cat gets 200 grams of wet food in the evening. It drinks water.',
  });
  expect(answer.sources[0]).toMatchObject({
    type: 'page',
    space: open,
    title: 'Feeding',
    sections: expect.arrayContaining(['cats']),
  });
  expect((answer.answer as { markdown: string }).markdown).toContain('> A cat gets 200 grams of wet food');
});

test('the answer is nodes unless Markdown is asked for', async () => {
  const answer = await ask(open, 'passport for a dog', 'document');
  expect(JSON.stringify(answer.answer)).toContain('rabies vaccination');
  expect(answer.answer).toMatchObject({ document: { object: 'document' } });
});

test('misspelt words are understood', async () => {
  // Nobody waits longer for a guess than a quarter of a second, in which a busy machine may make none.
  await expect
    .poll(async () => partsOf(await ask(open, 'What do parots eat?'))[0])
    .toMatchObject({ id: 'parrots' });
});

describe('it is said that the pages do not answer', () => {
  test.each([
    ['another subject', 'How do I configure a VPN tunnel?'],
    ['one word of many', 'Which border colour has the table of invoices in the exported spreadsheet?'],
    ['no words', '???'],
    ['words that say nothing', 'How do I?'],
    ['operators of searches', '"-zebra" & | ! <-> :*'],
  ])('%s', async (_what, question) => {
    const answer = await ask(open, question);
    expect(answer).toMatchObject({
      madeBy: 'nothing',
      sources: [],
      answer: { markdown: 'This is not in these docs.' },
    });
  });
});

test('the events of a stream are whole answers', async () => {
  const { body, headers } = await platform.api(
    'GET',
    `/spaces/${open}/ask/stream?query=passport%20for%20a%20dog`,
  );
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const [first] = eventsIn(body);
  expect(first).toMatchObject({ type: 'answer', answer: { madeBy: 'sections' } });
});

describe('in an organization', () => {
  const path = () => `/orgs/${platform.organizationId}/ask`;
  const body = { query: 'What is the combination of the vault?' };

  test('all spaces answer that the asker may see', async () => {
    const answered = await platform.api('POST', path(), { body });
    expect(answered.body.answer).toMatchObject({ madeBy: 'sections', sources: [{ space: secret }] });
    const streamed = await platform.api('GET', `${path()}/stream?query=combination%20of%20the%20vault`);
    expect(eventsIn(streamed.body)[0]?.answer.sources[0]?.space).toBe(secret);
  });

  test('a space that the asker may not see does not answer', async () => {
    const { token } = await createMember(platform, 'guest', { role: null });
    const answered = await platform.api('POST', path(), { body, token });
    expect(answered.body.answer).toMatchObject({ madeBy: 'nothing', sources: [] });
    const refused = await platform.api('POST', `/spaces/${secret}/ask`, { body, token });
    expect(refused.status).toBe(404);
  });
});

describe('in a site', () => {
  const askSite = (body: object) =>
    platform.api('POST', `/orgs/${platform.organizationId}/sites/${siteId}/ask?format=markdown`, { body });

  test('its spaces answer, and no others', async () => {
    const { body } = await askSite({ question: 'What do parrots eat?', scope: { mode: 'default' } });
    expect(eventsIn(body)[0]?.answer).toMatchObject({ madeBy: 'sections', sources: [{ space: open }] });
    const other = await askSite({
      question: 'What is the combination of the vault?',
      scope: { mode: 'all' },
    });
    expect(eventsIn(other.body)[0]?.answer).toMatchObject({ madeBy: 'nothing', sources: [] });
  });

  test('site spaces of another site are a mistake', async () => {
    const { status, body } = await askSite({
      question: 'Why?',
      scope: { mode: 'specific', siteSpaceIds: ['nope'] },
    });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/site spaces of this site/);
  });
});

test('a space of a single page answers, too, and only what it says', async () => {
  const { repo, url } = await platform.createRepo('single');
  await repo.commit({ 'README.md': '# Horse\n\n## Feeding\n\nThe horse gets 900 grams of hay.\n' });
  const spaceId = await platform.createSpace('single');
  expect(await platform.importBranch(spaceId, { url })).toMatchObject({ state: 'success' });
  const answer = await ask(spaceId, 'How much hay does the horse get?');
  expect(partsOf(answer)[0]).toMatchObject({ title: 'Feeding', text: 'The horse gets 900 grams of hay.' });
  for (const query of ['Which VPN tunnel?', 'How often is the horse shod by the farrier?'])
    expect(await ask(spaceId, query)).toMatchObject({ madeBy: 'nothing' });
});

test('a question that the pages do not answer is a conversation of the organization, once a day', async () => {
  stayInDay();
  const organization = `/orgs/${platform.organizationId}`;
  const recorded = async () => {
    const { items } = (await platform.api('GET', `${organization}/conversations?limit=1000`)).body;
    return items
      .filter(({ source }: { source: string }) => source.startsWith('integration:ask:'))
      .map(({ source, subject }: { source: string; subject: string }) => [source.split(':')[2], subject]);
  };
  await platform.deps.db.delete(tables.conversations);
  const query = 'How do I configure a VPN tunnel for ada@example.com?';
  expect(await ask(open, query)).toMatchObject({ madeBy: 'nothing' });
  expect(await ask(open, `  ${query.toUpperCase()} `)).toMatchObject({ madeBy: 'nothing' });
  await ask(open, 'xyz');
  await ask(open, 'How much food does my cat need in the evenings?');
  await platform.api('GET', `${organization}/ask/stream?query=${encodeURIComponent('VPN tunnels?')}`);
  await platform.api('POST', `${organization}/sites/${siteId}/ask`, {
    body: { question: 'Which VPN tunnel?', scope: { mode: 'all' } },
  });
  const found = await recorded();
  expect(found).toHaveLength(3);
  expect(found).toContainEqual([open, expect.stringMatching(/\[email\]/)]);
  expect(found).toContainEqual([platform.organizationId, 'VPN tunnels?']);
  expect(found).toContainEqual([siteId, 'Which VPN tunnel?']);
});

describe('recommended questions', () => {
  const organization = () => `/orgs/${platform.organizationId}`;
  const questionsIn = (text: string) =>
    eventsIn(text).map((event) => (event as unknown as { question: string }).question);

  beforeAll(async () => {
    const { repo, url } = await platform.createRepo('faq');
    await repo.commit({
      'README.md':
        '# Ferries\n\n## Which ferries carry bicycles?\n\nAll ferries carry bicycles without a reservation.\n\n## Timetables\n\nTimetables of ferries change in autumn and in spring.\n',
    });
    const spaceId = await platform.createSpace('faq');
    expect(await platform.importBranch(spaceId, { url })).toMatchObject({ state: 'success' });
  });

  test('are headings that the pages answer, questions first, and never what people asked', async () => {
    const { status, body } = await platform.api('GET', `${organization()}/ask/questions`);
    expect(status).toBe(200);
    expect(body.questions[0]).toBe('Which ferries carry bicycles?');
    expect(body.questions.length).toBeLessThanOrEqual(5);
    expect(body.questions.join()).not.toMatch(/VPN/);
    for (const query of body.questions) {
      const { answer } = (await platform.api('POST', `${organization()}/ask`, { body: { query } })).body;
      expect(answer.madeBy).toBe('sections');
    }
    const streamed = await platform.api('GET', `${organization()}/ask/questions/stream`);
    expect(questionsIn(streamed.body)).toEqual(body.questions);
  });

  test('of a site are of its spaces, and nobody is shown headings that they may not read', async () => {
    const path = `${organization()}/sites/${siteId}/ask/questions`;
    const ofSite = questionsIn((await platform.api('GET', path)).body);
    expect(ofSite).toContain('Passports');
    expect(ofSite.join()).not.toMatch(/ferries|Combination/);
    expect(questionsIn((await platform.api('GET', `${path}?spaceId=${secret}`)).body)).toEqual([]);
    expect((await platform.api('GET', `${path}?siteSpaceId=none`)).status).toBe(400);
    const { token } = await createMember(platform, 'outsider', { role: null });
    const { body } = await platform.api('GET', `${organization()}/ask/questions`, { token });
    expect(body.questions.join()).not.toMatch(/ferries|Combination/);
  });
});
