import { generatedVerdict, type LinkVerdict } from '../../format-port/index.ts';
import type { Reference, Span } from '../../model/index.ts';
import type { PageRecorder } from '../../parse/index.ts';

/**
 * Components that lead to their `href` as it is written: cards, tiles and tooltips of Mintlify
 * (https://mintlify.com/docs/components), cards of Nextra (https://nextra.site/docs/built-ins/cards) and Fumadocs
 * (https://fumadocs.dev/docs/markdown), and the links of Next.js, which both use.
 */
const LEADS_TO_HREF = /^(?:(?:Cards\.)?Card|Tile|Tooltip|Link)$/;

/** Records the address of a component (`<Card href="…">`). What an expression makes of it is not known. */
export function recordComponentLink(
  name: string,
  attributes: ReadonlyMap<string, string>,
  span: Span,
  page: PageRecorder,
): void {
  const href = attributes.get('href') ?? '';
  if (!/^[A-Z]/.test(name) || href.trim() === '' || href.startsWith('{')) return;
  page.addReference('attribute', href, span, { carrier: name });
}

/** Other components, such as those of the project, may make another address of it. Null for all that do not. */
export function explainComponent({ kind, carrier = '' }: Reference): LinkVerdict | null {
  if (kind !== 'attribute' || LEADS_TO_HREF.test(carrier)) return null;
  return generatedVerdict(`The component ${carrier} decides where its href leads.`);
}
