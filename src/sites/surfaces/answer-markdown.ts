import { readPageWithTargets } from '../../platform/index.ts';
import { hasText } from '../content/page-index.ts';
import { pageMarkdown } from '../content/page-markdown.ts';
import { isPageIndexed, robotsHeaders } from '../content/search-engines.ts';
import { type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { locatePath } from '../locate-path.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { answerKey } from './cached-answer.ts';

/** `<page>.md`: a page as Markdown. */
export async function answerMarkdown(site: SiteRequest): Promise<boolean> {
  const found = await findMarkdown(site, site.path);
  return found === null ? false : sendFinished(site, await found.load());
}

/** The Markdown of the page at a path, with or without `.md`; null where there is no page. */
export async function findMarkdown(
  site: SiteRequest,
  sitePath: string,
): Promise<{ load(): Promise<FinishedAnswer> } | null> {
  const located = locatePath(site.structure, sitePath.replace(/\.md$/, ''));
  const content = located && (await site.contents.load(located.siteSpace.row.space));
  if (located === null || content === null) return null;
  const { byPath, readingOrder } = content.pages;
  const path = located.pagePath;
  const page =
    byPath.get(path) ?? (path === 'index' || path === '' ? (byPath.get('') ?? readingOrder[0]) : undefined);
  if (page === undefined || !hasText(page.row)) return null;
  const load = async () =>
    await site.answers.load(
      answerKey(site, ['markdown', located.siteSpace.row.id, page.row.id]),
      async () => {
        const published = await readPageWithTargets(site.platform, content, page.row);
        // A file that is too large to be stored has no text to show.
        return await finishAnswer(pageMarkdown(page.row, published?.markdown ?? ''), {
          contentType: 'text/markdown; charset=utf-8',
          headers: robotsHeaders(isPageIndexed(site.served.site, page)),
        });
      },
    );
  return { load };
}
