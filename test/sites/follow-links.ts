import type { TestSites } from './start-sites.ts';

/** What a reader meets who follows every link of a site from its home page. */
export interface FollowedLinks {
  /** The addresses of pages that answer with a text. */
  readonly pages: ReadonlySet<string>;
  /** One line for each link that leads nowhere, with the page that has it. */
  readonly dead: readonly string[];
}

/** Follows all links, pictures and fragments of a site that stay on it. */
export async function followLinks(sites: TestSites, home: string): Promise<FollowedLinks> {
  const read = new Map<string, { readonly status: number; readonly body: string }>();
  const open = async (address: string) => {
    const known = read.get(address);
    if (known !== undefined) return known;
    const { statusCode, body } = await sites.get(address, { accept: 'text/html' });
    const answer = { status: statusCode, body };
    read.set(address, answer);
    return answer;
  };
  const pages = new Set<string>();
  const dead: string[] = [];
  const waiting = [home];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    if (pages.has(page)) continue;
    const { body } = await open(page);
    pages.add(page);
    for (const link of linksIn(body)) {
      const url = new URL(link, `http://site.example${page}`);
      if (url.hostname !== 'site.example') continue;
      const target = await open(url.pathname + url.search);
      const isPage = target.body.startsWith('<!doctype html>');
      const id = decodeURIComponent(url.hash.slice(1));
      if (!url.pathname.startsWith(home)) dead.push(`${page}: ${link} leaves the site`);
      else if (target.status !== 200) dead.push(`${page}: ${link} answers ${target.status}`);
      else if (isPage && id !== '' && !idsIn(target.body).has(id))
        dead.push(`${page}: ${link} has no anchor`);
      else if (isPage && !url.pathname.includes('/~/')) waiting.push(url.pathname);
    }
  }
  return { pages, dead };
}

/** One line for each link of `llms.txt` and of the Markdown that it names whose target is not there. */
export async function followMarkdown(sites: TestSites, home: string): Promise<readonly string[]> {
  const dead: string[] = [];
  const known = new Map<string, number>();
  const texts = new Set<string>();
  const waiting = [`${home}/llms.txt`];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    if (texts.has(text)) continue;
    texts.add(text);
    const { body } = await sites.get(text);
    for (const [, link = ''] of body.matchAll(/\]\((\/[^\s()]*|https?:\/\/[^\s()]*)\)/g)) {
      const url = new URL(link, 'http://site.example');
      if (!url.pathname.startsWith(`${home}/`)) continue;
      const status = known.get(url.pathname) ?? (await sites.get(url.pathname)).statusCode;
      known.set(url.pathname, status);
      if (status !== 200) dead.push(`${text}: ${link} answers ${status}`);
      else if (url.pathname.endsWith('.md')) waiting.push(url.pathname);
    }
  }
  return dead;
}

/** The pages that the sitemaps of a site name, and one line for each address of theirs and of its feed that is not there. */
export async function followAddresses(sites: TestSites, home: string): Promise<FollowedLinks> {
  const dead: string[] = [];
  const addressesIn = async (list: string, element: RegExp) => {
    const { body } = await sites.get(list);
    const paths = [...body.matchAll(element)].map(([, address = '']) => new URL(address).pathname);
    for (const path of paths) {
      const { statusCode } = await sites.get(path);
      if (statusCode !== 200) dead.push(`${list}: ${path} answers ${statusCode}`);
    }
    return paths;
  };
  const pages = new Set<string>();
  for (const sitemap of await addressesIn(`${home}/sitemap.xml`, /<loc>([^<]*)<\/loc>/g))
    for (const page of await addressesIn(sitemap, /<loc>([^<]*)<\/loc>/g)) pages.add(page);
  await addressesIn(`${home}/feed.xml`, /<link>([^<]*)<\/link>/g);
  return { pages, dead };
}

function linksIn(body: string): readonly string[] {
  const found = body.matchAll(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]*)"/g);
  return [...found].map(([, link = '']) => link.replaceAll('&amp;', '&'));
}

function idsIn(body: string): ReadonlySet<string> {
  return new Set([...body.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')));
}
