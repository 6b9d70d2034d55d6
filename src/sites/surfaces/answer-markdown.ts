import { readPageWithTargets } from '../../platform/index.ts';
import { hasText } from '../content/page-index.ts';
import { pageMarkdown } from '../content/page-markdown.ts';
import { locatePath } from '../locate-path.ts';
import type { SiteRequest } from '../site-request.ts';
import { sendCached } from './cached-answer.ts';

/** `<page>.md`: a page as Markdown. */
export async function answerMarkdown(site: SiteRequest): Promise<boolean> {
  const located = locatePath(site.structure, site.path.replace(/\.md$/, ''));
  const content = located && (await site.contents.load(located.siteSpace.row.space));
  if (located === null || content === null) return false;
  const { byPath, readingOrder } = content.pages;
  const path = located.pagePath;
  const page = byPath.get(path) ?? (path === 'index' ? (byPath.get('') ?? readingOrder[0]) : undefined);
  if (page === undefined || !hasText(page.row)) return false;
  return await sendCached(site, ['markdown', located.siteSpace.row.id, page.row.id], async () => {
    const found = await readPageWithTargets(site.platform, content, page.row);
    // A file that is too large to be stored has no text to show.
    const text = pageMarkdown(page.row, found?.markdown ?? '');
    return { text, contentType: 'text/markdown; charset=utf-8' };
  });
}
