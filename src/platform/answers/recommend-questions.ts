import { type Database, listAskableHeadings } from '../../store/index.ts';
import type { SearchedContent } from '../search/search-contents.ts';
import { answerVerbatim } from './answer-question.ts';

const RECOMMENDED = 5;
/** Headings that are tried, each by one search. */
const TRIED = 15;

/**
 * Questions that these pages answer: headings, as they stand there, whose answer has their own page. What people asked is no
 * source of them, since readers may not see it.
 */
export async function* recommendQuestions(
  db: Database,
  {
    organizationId,
    contents,
  }: { readonly organizationId: string; readonly contents: readonly SearchedContent[] },
): AsyncGenerator<string, void> {
  const seen = new Set<string>();
  for (const { spaceId, pageId, heading } of await listAskableHeadings(db, {
    organizationId,
    scopes: contents,
    limit: TRIED,
  })) {
    const key = heading.toLowerCase();
    if (seen.has(key)) continue;
    const { passages } = await answerVerbatim(db, contents, heading);
    if (!passages.some((passage) => passage.spaceId === spaceId && passage.pageId === pageId)) continue;
    seen.add(key);
    yield heading;
    if (seen.size >= RECOMMENDED) return;
  }
}
