import { chosenLook, lookOf } from '../choose-look.ts';
import { finishAnswer } from '../finished-answer.ts';
import { locationsOf } from '../locate-path.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { siteStyles } from '../views/site-styles.ts';

/** `~/styles/<version>-<site-space>.css`: the colours and corners that were chosen. Its address changes with the site. */
export async function answerStyles(
  site: SiteRequest,
  [name = '', ...more]: readonly string[],
): Promise<boolean> {
  const id = /^\d+-(.+)\.css$/.exec(name)?.[1];
  const location = locationsOf(site.structure).find(({ siteSpace }) => siteSpace.row.id === id);
  if (location === undefined || more.length > 0) return false;
  const text = siteStyles(lookOf(chosenLook({ served: site.served, location })));
  return sendFinished(site, await finishAnswer(text, { contentType: 'text/css; charset=utf-8' }));
}
