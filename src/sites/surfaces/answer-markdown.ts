import { findPage } from '../content/find-page.ts';
import { hasText, type IndexedPage } from '../content/page-index.ts';
import { pageMarkdown } from '../content/page-markdown.ts';
import { type LocatedPage, readMarkdown } from '../content/read-markdown.ts';
import { isPageIndexed, robotsHeaders } from '../content/search-engines.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import { languageAt, textSourceOf } from '../content/untranslated-pages.ts';
import { type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { locatePath } from '../locate-path.ts';
import { markdownPath } from '../make-page.ts';
import { sendFinished } from '../send-finished.ts';
import { redirect, type SiteRequest } from '../site-request.ts';
import { wordsFor } from '../views/words/index.ts';
import { pageAnswerKey } from './cached-answer.ts';

/** `<page>.md`: a page as Markdown. */
export async function answerMarkdown(site: SiteRequest): Promise<boolean> {
  const found = await findMarkdown(site, site.path);
  if (found !== null) return sendFinished(site, await found.load());
  if (!site.path.endsWith('.md')) return false;
  // Where the page is now, as Markdown, too.
  const elsewhere = await findPage(site, site.path.slice(0, -'.md'.length));
  if (elsewhere === null || typeof elsewhere === 'string') return false;
  const { located, shown, foundBy } = elsewhere;
  const address = site.addresses.below(located.siteSpace.path, markdownPath(shown.row.path));
  return redirect(site, address, foundBy);
}

/** The Markdown of the page at a path, with or without `.md`; null where there is no page. */
export async function findMarkdown(
  site: SiteRequest,
  sitePath: string,
): Promise<{ load(): Promise<FinishedAnswer> } | null> {
  for (const located of locatePath(site.structure, sitePath.replace(/\.md$/, ''))) {
    const content = await site.contents.load(located.siteSpace.row.space);
    const page = content && pageAt(content, located.pagePath);
    if (content === null || !page || !hasText(page.row)) continue;
    return { load: () => loadMarkdown(site, { location: located, content, page, untranslated: null }) };
  }
  const found = await findPage(site, sitePath.replace(/\.md$/, ''));
  if (found === null || typeof found === 'string' || found.untranslated === null) return null;
  const { located, content, page, untranslated } = found;
  return { load: () => loadMarkdown(site, { location: located, content, page, untranslated }) };
}

function pageAt({ pages: { byPath, readingOrder } }: SpaceContent, path: string): IndexedPage | undefined {
  return (
    byPath.get(path) ?? (path === 'index' || path === '' ? (byPath.get('') ?? readingOrder[0]) : undefined)
  );
}

async function loadMarkdown(site: SiteRequest, shown: LocatedPage): Promise<FinishedAnswer> {
  const { location, page } = shown;
  const key = await pageAnswerKey(site, 'markdown', location.siteSpace.row.id, shown);
  return await site.answers.load(key, async () => {
    // A file that is too large to be stored has no text to show.
    const text = (await readMarkdown(site, shown)) ?? pageMarkdown(page.row, '');
    return await finishAnswer(noteOnOriginal(site, shown) + text, {
      contentType: 'text/markdown; charset=utf-8',
      headers: robotsHeaders(isPageIndexed(site.served.site, page)),
    });
  });
}

/** Says of a page that stands in for its translation what it is. */
function noteOnOriginal({ addresses }: SiteRequest, shown: LocatedPage): string {
  const { content, page, untranslated } = shown;
  if (!untranslated) return '';
  const words = wordsFor(languageAt(content, untranslated.path));
  const { location } = textSourceOf(shown);
  const original = addresses.below(location.siteSpace.path, markdownPath(page.row.path));
  return `> ${words.notTranslated} [${words.readOriginal}](${original})\n\n`;
}
