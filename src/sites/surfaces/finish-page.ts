import { pictureOrigins } from '../choose-look.ts';
import { robotsHeaders } from '../content/search-engines.ts';
import { type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { policyFor } from '../security-headers.ts';
import { renderSitePage } from '../views/render-site-page.ts';
import type { SitePage } from '../views/site-page.ts';

/** A page for people with the headers that depend on what is on it. */
export async function finishPage(sitePage: SitePage, status = 200): Promise<FinishedAnswer> {
  const { frame, page } = sitePage;
  const text = renderSitePage(sitePage);
  return await finishAnswer(text, {
    status,
    headers: {
      ...policyFor(text, pictureOrigins(frame), page.operations?.requestOrigins),
      ...robotsHeaders(page.isIndexed),
    },
  });
}
