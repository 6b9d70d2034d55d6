/** What `.github/docloom.yml` says under `site` is made, and stays as people changed it where it says nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../../src/client/index.ts';
import { openSiteReaders } from '../../../src/identity/index.ts';
import { createSiteHosts, ReaderSignIn, registerSites } from '../../../src/sites/index.ts';
import { tables } from '../../../src/store/index.ts';
import { loadRepository } from '../../../src/store/repositories.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle } from '../app-bench.ts';
import { openBenchPlatform, type RealPlatform } from '../bench-platform.ts';

let bench: AppBench;
let platform: RealPlatform;

beforeAll(async () => {
  bench = await openAppBench(async (parts) => {
    platform = await openBenchPlatform(parts);
    const hosts = createSiteHosts(null);
    const readers = new ReaderSignIn(platform.deps, hosts, openSiteReaders(platform.deps));
    await registerSites(parts.server, {
      platform: platform.deps,
      hosts,
      readers,
      isMember: async () => false,
    });
    return platform;
  });
});

afterAll(() => bench?.close());

const SPACES = 'spaces:\n  - {directory: guide, title: Guide}\n  - {directory: api, title: API}\n';

async function pushed(name: string, config: string): Promise<BenchRepository> {
  const repository = await bench.createRepository(name);
  await repository.local.commit({ 'guide/README.md': '# Guide\n', 'api/README.md': '# API\n' });
  await configure(repository, config, () => void repository.install({ unheard: true }));
  return repository;
}

async function configure(repository: BenchRepository, config: string, before = () => {}): Promise<string> {
  const oid = await repository.local.commit({ '.github/docloom.yml': config });
  before();
  await repository.push();
  await untilIdle(bench);
  return oid;
}

async function tipOf({ local }: BenchRepository): Promise<string> {
  return (await local.git(['rev-parse', 'main'])).trim();
}

function siteStatuses(repository: BenchRepository, oid: string) {
  return bench.forge
    .statuses(repository.fullName, oid)
    .filter(({ context }) => context.startsWith('docloom/site: '))
    .map(({ context, state, description }) => `${context}: ${state}: ${description}`);
}

async function findSite(title: string) {
  const params = { organizationId: platform.organization };
  const { items } = await bench.client.call(operations.listSites, { params, query: { title } });
  return items.find((site) => site.title === title) ?? null;
}

const params = (siteId: string) => ({ organizationId: platform.organization, siteId });

test('a push makes the site, for members until the configuration says who else reads it', async () => {
  const repository = await pushed('lamp', `${SPACES}site:\n  title: Lamp\n`);
  const [status, ...more] = siteStatuses(repository, await tipOf(repository));
  expect(more).toEqual([]);
  expect(status).toMatch(/^docloom\/site: Lamp: success: For members only, at http:\S+\/lamp\/$/);
  const made = await findSite('Lamp');
  expect(made).toMatchObject({ basename: 'lamp', published: false, siteSpaces: 2 });

  const config = `${SPACES}site:\n  title: Lamp\n  audience: unlisted\n  sections: [{directory: api, title: Programs}, {directory: guide}]\n  look: {color: '#123456', corners: circular}\n`;
  const oid = await configure(repository, config);
  expect(siteStatuses(repository, oid)).toEqual([
    expect.stringMatching(/^docloom\/site: Lamp: success: Live at http/),
  ]);
  const site = await findSite('Lamp');
  expect(site).toMatchObject({ id: made?.id, published: true, visibility: 'unlisted' });
  const profile = await bench.client.call(operations.getPublishedSite, { params: params(site?.id ?? '') });
  expect(profile.structure.structure).toMatchObject([
    { title: 'Programs', default: true, siteSpaces: [{ title: 'API' }] },
    { title: 'Guide', default: false, siteSpaces: [{ title: 'Guide' }] },
  ]);
  expect(profile.customizations.site.styling).toMatchObject({
    primaryColor: { light: '#123456', dark: '#123456' },
    corners: 'circular',
  });

  await bench.client.call(operations.updateSite, {
    params: params(site?.id ?? ''),
    body: { title: 'By hand', visibility: 'public', agentsContext: 'included' },
  });
  await repository.local.commit({ 'guide/more.md': '# More\n' });
  await repository.push();
  await untilIdle(bench);
  expect(await findSite('Lamp')).toMatchObject({ visibility: 'unlisted', agentsContext: 'included' });
});

test('sections are in the order, and with the titles, of the site that GitBook publishes', async () => {
  const repository = await bench.createRepository('synced');
  const section = (title: string, directory: string | null, ...more: readonly string[]) =>
    `{type: section, title: ${title}, children: [{type: space, title: English, content: {directory: ${directory}}}${more.map((each) => `, ${each}`).join('')}]}`;
  const french = '{type: space, title: French, content: {directory: null}}';
  await repository.local.commit({
    'docs.yaml': `site: {structure: [${section('Manual', './manual', french)}, {type: section-group, title: More, children: [${section('Changes', './changes')}]}]}\n`,
    'changes/README.md': '# Changes\n',
    'manual/README.md': '# Manual\n',
    'another/.gitbook.yaml': '',
    'another/README.md': '# Another\n',
    'another/SUMMARY.md': '* [Another](README.md)\n',
  });
  const config = 'site: {title: Synced, audience: public}\n';
  await configure(repository, config, () => void repository.install({ unheard: true }));
  const site = await findSite('Synced');
  const profile = await bench.client.call(operations.getPublishedSite, { params: params(site?.id ?? '') });
  expect(profile.structure).toMatchObject({
    structure: [
      { title: 'Manual', default: true, siteSpaces: [{ title: 'Manual' }] },
      { title: 'Changes', default: false },
      { title: 'another', default: false },
    ],
  });
});

testAtLength('a site that the configuration does not name any more stays, and is found again', async () => {
  const config = `${SPACES}site: {title: Stays, audience: public}\n`;
  const repository = await pushed('stays', config);
  const before = await findSite('Stays');
  const oid = await configure(repository, SPACES);
  expect(siteStatuses(repository, oid)[0]).toContain('stays as it is');
  expect(await findSite('Stays')).toEqual(before);
  expect(await loadRepository(bench.store.db, repository.id)).toMatchObject({ site: null });
  await configure(repository, config.replace('Stays', 'Renamed'));
  expect(await findSite('Renamed')).toMatchObject({ id: before?.id, published: true });
});

testAtLength('a basename that is taken is said on the commit, and nothing is lost', async () => {
  await pushed('first', `${SPACES}site: {title: First, basename: manual}\n`);
  const repository = await pushed('second', `${SPACES}site: {title: Second}\n`);
  const before = await findSite('Second');
  const oid = await configure(repository, `${SPACES}site: {title: Second, basename: manual}\n`);
  const sentence =
    '.github/docloom.yml: The basename manual belongs to the site “First” already: choose another one.';
  expect(siteStatuses(repository, oid)).toEqual([`docloom/site: Second: failure: ${sentence}`]);
  expect(await findSite('Second')).toEqual(before);
  expect(await loadRepository(bench.store.db, repository.id)).toMatchObject({
    site: { id: before?.id, error: sentence },
  });
  const states = bench.forge
    .statuses(repository.fullName, oid)
    .map(({ context, state }) => `${context} ${state}`);
  expect(states).toContain('docloom/Guide success');
});

testAtLength(
  'the check of a pull request links to a preview of the whole site, until it is closed',
  async () => {
    const repository = await pushed('proposed', `${SPACES}site: {title: Proposed, audience: public}\n`);
    const { number, head } = await proposePage(repository);
    expect(await listPreviews()).toMatchObject([{ title: `#${number} of acme/proposed` }]);
    const [check] = bench.forge
      .checkRuns(repository.fullName, head)
      .filter(({ name }) => name === 'Docloom links');
    const address = /\*\*Preview\*\* \(not live\): \[Proposed\]\((http[^)]+)\)/.exec(
      check?.summary ?? '',
    )?.[1];
    const entered = await fetch(address ?? '', { redirect: 'manual' });
    const [cookie = ''] = entered.headers.getSetCookie();
    const at = new URL(entered.headers.get('location') ?? '', address);
    const read = () => fetch(at, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    const page = await read();
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('A new page</a> (new)');
    expect((await fetch(at)).status).toBe(404);

    await repository.api('PATCH', `/pulls/${number}`, { state: 'closed' });
    await untilIdle(bench);
    expect(await listPreviews()).toEqual([]);
    expect((await read()).status).toBe(404);
  },
);

test('without its site, a pull request gets previews of its spaces, and the reason', async () => {
  const repository = await pushed('siteless', `${SPACES}site: {title: Siteless}\n`);
  const site = await findSite('Siteless');
  await bench.client.call(operations.deleteSite, { params: params(site?.id ?? '') });
  const { number, head } = await proposePage(repository);
  const [check] = bench.forge
    .checkRuns(repository.fullName, head)
    .filter(({ name }) => name === 'Docloom links');
  expect(check?.summary).toMatch(
    /No preview of Siteless: There is no site .*\[Guide\]\(http[^)]*\/revisions\//s,
  );

  await repository.api('PATCH', `/pulls/${number}`, { state: 'closed' });
  await untilIdle(bench);
  const closed = await bench.store.db.select().from(tables.deliveries);
  expect(closed.filter(({ action }) => action === 'closed').map(({ state }) => state)).not.toContain(
    'failed',
  );
  expect((await bench.queue.counts()).filter(({ failed }) => failed > 0)).toEqual([]);
  // The next push makes it again.
  await configure(repository, `${SPACES}site: {title: Siteless}\n# Again\n`);
  expect(await findSite('Siteless')).toMatchObject({ siteSpaces: 2 });
});

/** Opens a pull request that adds a page. */
async function proposePage(repository: BenchRepository) {
  await repository.local.git(['branch', 'change', 'main']);
  const head = await repository.local.commit({ 'guide/new.md': '# A new page\n' }, { branch: 'change' });
  await repository.push('change');
  const { number } = await repository.api<{ number: number }>('POST', '/pulls', {
    title: 'One more page',
    head: 'change',
    base: 'main',
  });
  await untilIdle(bench);
  return { number, head };
}

async function listPreviews() {
  return await bench.store.db.select().from(tables.sitePreviews);
}
