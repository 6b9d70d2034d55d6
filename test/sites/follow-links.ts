import type { TestSites } from './start-sites.ts';

/** An answer, read once. */
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly isPage: boolean;
  readonly ids: ReadonlySet<string>;
}

/** Asks for addresses of a site as a browser does, for each of them once. */
type Open = (address: string) => Promise<Answer>;

/** What a reader meets who follows every link of a site from its home page. */
export interface FollowedLinks {
  /** The addresses of pages that answer with a text. */
  readonly pages: ReadonlySet<string>;
  /** One line for each link that leads nowhere, with the page that has it. */
  readonly dead: readonly string[];
}

/** Follows a site whose home page is at `home`; what one way has asked for, another does not ask for again. */
export function followSite(sites: TestSites, home: string) {
  const open = openOnce(sites);
  return {
    links: () => followLinks(open, home),
    markdown: () => followMarkdown(open, home),
    addresses: () => followAddresses(open, home),
  };
}

function openOnce(sites: TestSites): Open {
  const known = new Map<string, Promise<Answer>>();
  const ask = async (address: string): Promise<Answer> => {
    const { statusCode, body } = await sites.get(address, { accept: 'text/html' });
    const isPage = body.startsWith('<!doctype html>');
    return { status: statusCode, body, isPage, ids: isPage ? idsIn(body) : new Set() };
  };
  return (address) => {
    const answer = known.get(address) ?? ask(address);
    known.set(address, answer);
    return answer;
  };
}

/** Follows all links, pictures and fragments of a site that stay on it. */
async function followLinks(open: Open, home: string): Promise<FollowedLinks> {
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
      const { status, isPage, ids } = await open(url.pathname + url.search);
      const id = decodeURIComponent(url.hash.slice(1));
      if (!url.pathname.startsWith(home)) dead.push(`${page}: ${link} leaves the site`);
      else if (status !== 200) dead.push(`${page}: ${link} answers ${status}`);
      else if (isPage && id !== '' && !ids.has(id)) dead.push(`${page}: ${link} has no anchor`);
      else if (isPage && !url.pathname.includes('/~/')) waiting.push(url.pathname);
    }
  }
  return { pages, dead };
}

/** One line for each link of `llms.txt` and of the Markdown that it names whose target is not there. */
async function followMarkdown(open: Open, home: string): Promise<readonly string[]> {
  const dead: string[] = [];
  const texts = new Set<string>();
  const waiting = [`${home}/llms.txt`];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    if (texts.has(text)) continue;
    texts.add(text);
    const { body } = await open(text);
    for (const [, link = ''] of body.matchAll(/\]\((\/[^\s()]*|https?:\/\/[^\s()]*)\)/g)) {
      const url = new URL(link, 'http://site.example');
      if (!url.pathname.startsWith(`${home}/`)) continue;
      const { status } = await open(url.pathname);
      if (status !== 200) dead.push(`${text}: ${link} answers ${status}`);
      else if (url.pathname.endsWith('.md')) waiting.push(url.pathname);
    }
  }
  return dead;
}

/** The pages that the sitemaps of a site name, and one line for each address of theirs and of its feed that is not there. */
async function followAddresses(open: Open, home: string): Promise<FollowedLinks> {
  const dead: string[] = [];
  const addressesIn = async (list: string, element: RegExp) => {
    const { body } = await open(list);
    const paths = [...body.matchAll(element)].map(([, address = '']) => new URL(address).pathname);
    for (const path of paths) {
      const { status } = await open(path);
      if (status !== 200) dead.push(`${list}: ${path} answers ${status}`);
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
