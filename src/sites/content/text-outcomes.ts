import { createHash } from 'node:crypto';
import { outcomesOfText } from '../../platform/index.ts';
import type { SiteRequest } from '../site-request.ts';
import type { IndexedPage } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';

/**
 * What the texts of pages come to for this visitor, for the names of the answers that are made from them. Empty where they
 * are the same for everybody.
 */
export async function textOutcomes(
  { platform, served, claims }: Pick<SiteRequest, 'platform' | 'served' | 'claims'>,
  shown: readonly { readonly content: SpaceContent; readonly page: IndexedPage }[],
): Promise<string> {
  // Nothing is known of any visitor of other sites.
  if (!served.site.adaptiveContent) return '';
  const all: string[] = [];
  for (const { content, page } of shown)
    all.push(await outcomesOfText(platform, content, { page: page.row, claims }));
  if (all.every((outcomes) => outcomes === '')) return '';
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 27);
}
