import { readPageWithTargets } from '../../platform/index.ts';
import { hasText } from '../content/page-index.ts';
import { pageMarkdown } from '../content/page-markdown.ts';
import { isPageIndexed, robotsHeaders } from '../content/search-engines.ts';
import { finishAnswer } from '../finished-answer.ts';
import { locatePath } from '../locate-path.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { answerKey } from './cached-answer.ts';

/** `<page>.md`: a page as Markdown. */
export async function answerMarkdown(site: SiteRequest): Promise<boolean> {
  const located = locatePath(site.structure, site.path.replace(/\.md$/, ''));
  const content = located && (await site.contents.load(located.siteSpace.row.space));
  if (located === null || content === null) return false;
  const { byPath, readingOrder } = content.pages;
  const path = located.pagePath;
  const page = byPath.get(path) ?? (path === 'index' ? (byPath.get('') ?? readingOrder[0]) : undefined);
  if (page === undefined || !hasText(page.row)) return false;
  const key = answerKey(site, ['markdown', located.siteSpace.row.id, page.row.id]);
  const answer = await site.answers.load(key, async () => {
    const found = await readPageWithTargets(site.platform, content, page.row);
    // A file that is too large to be stored has no text to show.
    return await finishAnswer(pageMarkdown(page.row, found?.markdown ?? ''), {
      contentType: 'text/markdown; charset=utf-8',
      headers: robotsHeaders(isPageIndexed(site.served.site, page)),
    });
  });
  return sendFinished(site, answer);
}
