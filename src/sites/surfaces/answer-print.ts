import { robotsHeaders } from '../content/search-engines.ts';
import { textOutcomes } from '../content/text-outcomes.ts';
import { finishAnswer } from '../finished-answer.ts';
import { findPrintScope, makePrint, pagesToPrint } from '../print/make-print.ts';
import { policyFor } from '../security-headers.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { renderPrint } from '../views/render-print.ts';
import { answerKey } from './cached-answer.ts';

/**
 * `~/print/<site-space>` and `~/print/site`, the second part with `/2`: the pages of a section, or of the site, in one document
 * with its contents.
 */
export async function answerPrint(
  site: SiteRequest,
  [name, nth, ...more]: readonly string[],
): Promise<boolean> {
  if (name === undefined || more.length > 0 || !(nth === undefined || /^[2-9]$|^[1-9]\d{1,4}$/.test(nth)))
    return false;
  const part = Number(nth ?? 1) - 1;
  const scope = await findPrintScope(site, name);
  if (scope === null || part >= scope.parts) return false;
  const outcomes = await textOutcomes(site, pagesToPrint(scope, part));
  const answer = await site.answers.load(answerKey(site, ['print', name, part, outcomes]), async () => {
    const text = renderPrint(await makePrint(site, scope, part));
    return await finishAnswer(text, { headers: { ...policyFor(text), ...robotsHeaders(false) } });
  });
  return sendFinished(site, answer);
}
