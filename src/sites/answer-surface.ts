import { isIndexed, robotsHeaders } from './content/search-engines.ts';
import type { SiteRequest } from './site-request.ts';
import { ASK_PATH, answerAsk } from './surfaces/answer-ask.ts';
import { answerFeed } from './surfaces/answer-feed.ts';
import { answerFeedback, FEEDBACK_PATH } from './surfaces/answer-feedback.ts';
import { answerFile } from './surfaces/answer-file.ts';
import { answerLlms, answerLlmsFull, partOfFullText } from './surfaces/answer-llms.ts';
import { answerMarkdown } from './surfaces/answer-markdown.ts';
import { answerMcp, MCP_PATH } from './surfaces/answer-mcp.ts';
import { answerPage } from './surfaces/answer-page.ts';
import { answerPrint } from './surfaces/answer-print.ts';
import { answerRobots } from './surfaces/answer-robots.ts';
import { answerSearch } from './surfaces/answer-search.ts';
import { answerSitemap, answerSitemapIndex } from './surfaces/answer-sitemap.ts';
import { answerSocialPicture } from './surfaces/answer-social-picture.ts';
import { answerStyles } from './surfaces/answer-styles.ts';

type Answer = Promise<boolean>;

/** What a site has at its root besides pages. */
const AT_ROOT: Readonly<Record<string, (site: SiteRequest) => Answer>> = {
  'llms.txt': answerLlms,
  'sitemap.xml': answerSitemapIndex,
  'feed.xml': answerFeed,
  'robots.txt': answerRobots,
};

/** What a site has below `~`, which begins no slug, by the next segment; called with the rest of the path. */
const INTERNAL: Readonly<Record<string, (site: SiteRequest, rest: readonly string[]) => Answer>> = {
  ask: async (site, rest) => rest.length === 0 && (await answerAsk(site)),
  feedback: async (site, rest) => rest.length === 0 && (await answerFeedback(site)),
  files: answerFile,
  mcp: async (site, rest) => rest.length === 0 && (await answerMcp(site)),
  print: answerPrint,
  search: async (site, rest) => rest.length === 0 && (await answerSearch(site)),
  social: answerSocialPicture,
  styles: answerStyles,
  sitemap: async (site, [name, ...more]) =>
    name !== undefined && more.length === 0 && (await answerSitemap(site, name)),
};

/** Where a site answers besides its pages: the paths of files at its root, and what the others begin with. */
export const SURFACE_PATHS: readonly string[] = [
  ...Object.keys(AT_ROOT),
  ...Object.keys(INTERNAL).map((name) => `~/${name}`),
];

/** What can be posted to. */
const POSTED: ReadonlySet<string> = new Set([ASK_PATH, FEEDBACK_PATH, MCP_PATH]);

/** Answers a request whose visitor may see the site, and returns true; false where the site has nothing at its path. */
export async function answerSurface(site: SiteRequest): Promise<boolean> {
  site.reply.headers(robotsHeaders(isIndexed(site.served.site)));
  const [first = '', kind = '', ...rest] = site.path.split('/');
  if (site.request.method === 'POST' && !POSTED.has(site.path)) return false;
  if (first === '~') return Object.hasOwn(INTERNAL, kind) && ((await INTERNAL[kind]?.(site, rest)) ?? false);
  const atRoot = Object.hasOwn(AT_ROOT, site.path) ? AT_ROOT[site.path] : undefined;
  if (atRoot !== undefined) return await atRoot(site);
  const part = partOfFullText(site.path);
  if (part !== null) return await answerLlmsFull(site, part);
  const wantsMarkdown = site.request.headers.accept?.includes('text/markdown') === true;
  if (site.path.endsWith('.md') || wantsMarkdown) {
    if (await answerMarkdown(site)) return true;
  }
  return await answerPage(site);
}
