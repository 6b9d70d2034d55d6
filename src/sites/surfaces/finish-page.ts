import { pictureOrigins } from '../choose-look.ts';
import { robotsHeaders } from '../content/search-engines.ts';
import { type Encoding, type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { policyFor } from '../security-headers.ts';
import { renderSitePage } from '../views/render-site-page.ts';
import type { SitePage } from '../views/site-page.ts';

/** A page for people with the headers that depend on what is on it. @param options `onceIn`: see {@link finishAnswer} */
export async function finishPage(
  sitePage: SitePage,
  { status = 200, onceIn }: { readonly status?: number; readonly onceIn?: Encoding } = {},
): Promise<FinishedAnswer> {
  const { frame, page } = sitePage;
  const text = renderSitePage(sitePage);
  return await finishAnswer(text, {
    status,
    onceIn,
    headers: {
      ...policyFor(text, pictureOrigins(frame), page.operations?.requestOrigins),
      ...robotsHeaders(page.isIndexed),
    },
  });
}
