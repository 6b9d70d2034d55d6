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
