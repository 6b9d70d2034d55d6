/** Every page of the dashboard and of a site where people wrote names that no layout expects. */
import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWorlds, type World } from '../platform/fill-world.ts';
import { startSites, type TestSites } from '../sites/start-sites.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { pathsOfDashboard } from './dashboard-paths.ts';
import { findOwnObstacles } from './inspect-page.ts';
import { describeInBrowser, openBrowser, takePicture } from './open-browser.ts';

const NAMES = {
  'one long word': 'W'.repeat(200),
  'seems empty': '\u200b\u2800\u3164',
  // Also from right to left, with a sign of several characters.
  markup: `\u05e9\u05dc\u05d5\u05dd (\u0645\u0631\u062d\u0628\u0627) \u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u{1f3f3}\ufe0f\u200d\u{1f308} <img src=x onerror="window.wasRun=true"></title></textarea><script>window.wasRun = true</script>${'&amp;'.repeat(20)}`,
};
const WIDTHS = [390, 1280];
/** The first of a page is the last of the page before, in which it is loaded: to lay it out again takes as long. */
const widthsOf = (at: number) => (at % 2 === 0 ? WIDTHS : WIDTHS.toReversed());

/** The columns that hold what people or other systems call things. */
const NAMED = {
  organizations: ['title'],
  users: ['display_name'],
  collections: ['title', 'description'],
  api_tokens: ['name'],
  sessions: ['user_agent'],
  spaces: ['title'],
  revisions: ['message'],
  git_operations: ['message', 'ref'],
  teams: ['title'],
  identity_providers: ['label'],
  conversations: ['subject'],
  issue_clusters: ['label', 'summary'],
  conversation_issues: ['title', 'summary'],
  change_requests: ['subject', 'description'],
  comments: ['quote', 'markdown', 'mirror_author'],
  comment_replies: ['markdown'],
  commented_pages: ['title'],
  pages: ['title', 'description'],
  openapi_versions: ['title'],
  translations: ['error'],
  sites: ['title'],
  site_section_groups: ['title'],
  site_sections: ['title', 'description'],
  site_share_links: ['name'],
  site_feedback: ['title', 'comment'],
  site_previews: ['title'],
  bindings: ['title', 'branch', 'repository'],
};

async function nameEverything({ deps: { db } }: TestPages['platform'], name: string): Promise<void> {
  for (const [table, columns] of Object.entries(NAMED)) {
    const set = columns.map((column) => sql`${sql.identifier(column)} = ${name}`);
    await db.execute(sql`update ${sql.identifier(table)} set ${sql.join(set, sql`, `)}`);
  }
  // Addresses are unique.
  await db.execute(sql`update users set email = ${name} || id || '@x.example'`);
  await db.execute(sql`update invites set email = ${name} || id || '@x.example' where email is not null`);
  await db.execute(sql`update organizations set email_domains = array[${`${name}.example`}]`);
}

describeInBrowser('names that no layout expects', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** What is in the way on these pages by our own rules; axe looks at the same pages with usual names. */
  async function look(url: string, paths: readonly string[], name: string): Promise<string[]> {
    const found: string[] = [];
    for (const [at, path] of paths.entries()) {
      const answer = await page.goto(`${url}${path}`);
      if (answer?.status() !== 200) found.push(`${path} answers ${answer?.status()}`);
      for (const width of widthsOf(at)) {
        await page.setViewportSize({ width, height: 900 });
        for (const obstacle of await findOwnObstacles(page)) found.push(`${path} ${width}: ${obstacle}`);
        await takePicture(page, `${name} ${path.replaceAll(/[/?=]+|[\w-]{20}/g, ' ').trim()} ${width}`);
      }
      if ((await page.evaluate('window.wasRun')) !== undefined) found.push(`${path} ran what a name says`);
    }
    return found;
  }

  test('on the dashboard', { timeout: 900_000 }, async () => {
    const pages = await startPages();
    try {
      const { platform } = pages;
      const world = await fillWorlds(platform).fillWorld(platform.organizationId, platform.token);
      const paths = [...pathsOfDashboard(world), ...(await addMore(pages, world))];
      const [cookie, value] = (await pages.signIn()).split('=');
      await page.context().addCookies([{ name: cookie ?? '', value: value ?? '', url: pages.url }]);
      const found: string[] = [];
      for (const [about, name] of Object.entries(NAMES)) {
        await nameEverything(platform, name);
        // What is in the audit log is never changed: something that is done now has these names in it.
        const body = { emoji: '1f4d6' };
        await platform.api('PATCH', `/spaces/${world.ids['spaceId']}`, { token: world.token, body });
        pages.repositories.splice(0, 1, repositoryCalled(name));
        for (const obstacle of await look(pages.url, paths, about)) found.push(`${about}: ${obstacle}`);
      }
      expect(found).toEqual([]);
    } finally {
      await pages.close();
    }
  });

  /** Files with long names, an invitation, and pages that only they have. */
  async function addMore({ platform }: TestPages, { ids, token, organizationId }: World): Promise<string[]> {
    const { api } = platform;
    const requests = `/spaces/${ids['spaceId']}/change-requests`;
    const long = 'w'.repeat(200);
    const request = (await api('POST', requests, { token, body: { subject: long } })).body;
    const text = `# ${long}\n\n${long} [${long}](${long}.md) \`${long}\`\n`;
    const changes = [`${long}.md`, `${long}/${long}.md`, `${long}/${long}.png`].map((path) => ({
      ...{ type: 'write', path, text },
    }));
    const written = await api('POST', `${requests}/${request.id}/content`, { token, body: { changes } });
    expect(written.status).toBeLessThan(300);
    const invites = `/orgs/${organizationId}/invites`;
    await api('POST', invites, { token, body: { emails: ['somebody@x.example'], role: 'read' } });
    const path = `/spaces/${ids['spaceId']}/change-requests/${request.number}`;
    return [path, `${path}?as=source`, `${path}/comments`];
  }

  test('on a site', { timeout: 300_000 }, async () => {
    const sites = await startSites();
    try {
      const url = await sites.listen();
      const paths = await publish(sites);
      const found: string[] = [];
      for (const [about, name] of Object.entries(NAMES)) {
        await nameEverything(sites.platform as never, name);
        await sites.platform.deps.db.execute(sql`update sites set title = ${name}`);
        for (const [at, path] of paths.entries()) {
          const answer = await page.goto(`${url}${path}`);
          if (answer?.status() !== 200) found.push(`${about}: ${path} answers ${answer?.status()}`);
          for (const width of widthsOf(at)) {
            await page.setViewportSize({ width, height: 900 });
            const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
            if (Number(wide) > 0) found.push(`${about}: ${path} ${width}: scrolls sideways by ${wide}`);
            await takePicture(page, `site ${about} ${path.replaceAll(/[/?=]+/g, ' ').trim()} ${width}`);
          }
          if ((await page.evaluate('window.wasRun')) !== undefined)
            found.push(`${path} ran what a name says`);
        }
      }
      expect(found).toEqual([]);
    } finally {
      await sites.close();
    }
  });

  async function publish(sites: TestSites): Promise<string[]> {
    const { platform } = sites;
    const worlds = fillWorlds(platform);
    const { spaceId } = await worlds.fillSpace(platform.organizationId, platform.token);
    const site = await sites.createSite('long');
    await sites.addSpace(site, spaceId ?? '');
    const home = '/s/acme/long';
    return [
      `${home}/`,
      `${home}/~/search?q=guide`,
      `${home}/~/search?q=${'w'.repeat(120)}`,
      `${home}/~/print/site`,
    ];
  }
});

function repositoryCalled(name: string): TestPages['repositories'][number] {
  return {
    id: 1,
    name,
    url: 'https://forge.example/a/b',
    defaultBranch: name,
    disconnected: name,
    configError: name,
    conversationsError: name,
    mirrorError: name,
    bindings: [
      {
        ...{ title: name, branch: name, directory: name, spaceId: 'x', liveOid: 'a'.repeat(40), error: name },
        ...{ disconnected: null, removedAt: null, importing: false, updatedAt: new Date().toISOString() },
        ...{ exported: null, linksOutside: null },
      },
    ],
    site: null,
    specifications: [],
    translations: [],
    lastDelivery: null,
    linksOutsideNext: null,
    jobs: [],
    rateLimit: null,
  };
}
