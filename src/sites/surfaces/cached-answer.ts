import type { IndexedPage } from '../content/page-index.ts';
import type { SpaceContent } from '../content/space-contents.ts';
import { textOutcomes } from '../content/text-outcomes.ts';
import type { UntranslatedPage } from '../content/untranslated-pages.ts';
import { finishAnswer } from '../finished-answer.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';

/**
 * Sends what is made of a whole site, made once for each version of it and for each selection of its spaces that visitors
 * see. @param name which answer it is
 */
export async function sendCached(
  site: SiteRequest,
  name: readonly (string | number)[],
  make: () => Promise<{ readonly text: string; readonly contentType: string }>,
): Promise<boolean> {
  return sendFinished(
    site,
    await site.answers.load(answerKey(site, name), async () => {
      const { text, contentType } = await make();
      return await finishAnswer(text, { contentType });
    }),
  );
}

/** Names everything that an answer of a site is made from. */
export function answerKey(
  { served, outcomes, addresses }: SiteRequest,
  name: readonly (string | number)[],
): string {
  return JSON.stringify([
    ...name,
    served.site.id,
    served.site.version,
    served.specsVersion,
    served.preview?.version ?? null,
    addresses.below(),
    outcomes,
  ]);
}

/** As {@link answerKey}, for one page in a form, as this visitor gets it. */
export async function pageAnswerKey(
  site: SiteRequest,
  form: 'page' | 'markdown',
  siteSpaceId: string,
  shown: {
    readonly content: SpaceContent;
    readonly page: IndexedPage;
    readonly untranslated?: UntranslatedPage | null;
  },
): Promise<string> {
  const { page, untranslated } = shown;
  const folder = untranslated?.folder ?? '';
  const content = untranslated?.source?.content ?? shown.content;
  const outcomes = await textOutcomes(site, [{ content, page }]);
  return answerKey(site, [form, siteSpaceId, page.row.id, folder, outcomes]);
}
