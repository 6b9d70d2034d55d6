import { chosenLook } from '../choose-look.ts';
import type { IndexedPage } from '../content/page-index.ts';
import { locationsOf, type VariantLocation } from '../locate-path.ts';
import { WHOLE_SITE } from '../make-page.ts';
import type { SiteRequest } from '../site-request.ts';
import type { PrintedEntry, PrintedPage, PrintedSite } from '../views/render-print.ts';
import { type PageSource, type PrintSource, printPages } from './print-pages.ts';

/** Pages in one document. */
const PAGES_PER_PART = 100;

/** What a visitor can print under one address: some spaces, in parts. */
export interface PrintScope {
  /** The id of a site-space, or `WHOLE_SITE`. */
  readonly name: string;
  readonly sources: readonly PrintSource[];
  /** How many documents their pages take. */
  readonly parts: number;
}

/** Null where nothing is printed: it is not offered, or not for this visitor. */
export async function findPrintScope(
  { structure, contents, served }: SiteRequest,
  name: string,
): Promise<PrintScope | null> {
  const wanted = locationsOf(structure).filter(
    (location) =>
      (name === WHOLE_SITE || location.siteSpace.row.id === name) &&
      chosenLook({ served, location }).pdf.enabled,
  );
  const sources: PrintSource[] = [];
  for (const location of wanted) {
    const content = await contents.load(location.siteSpace.row.space);
    if (content !== null) sources.push({ location, content });
  }
  const count = sources.reduce((sum, { content }) => sum + content.pages.readingOrder.length, 0);
  return count === 0 ? null : { name, sources, parts: Math.ceil(count / PAGES_PER_PART) };
}

/** The pages of one document. @param part counted from 0 */
export function pagesToPrint({ sources }: PrintScope, part: number): readonly PageSource[] {
  return sources
    .flatMap((source) => source.content.pages.readingOrder.map((page) => ({ ...source, page })))
    .slice(part * PAGES_PER_PART, (part + 1) * PAGES_PER_PART);
}

/** Makes one document. @param part counted from 0 */
export async function makePrint(site: SiteRequest, scope: PrintScope, part: number): Promise<PrintedSite> {
  const { served, addresses } = site;
  const { name, sources, parts } = scope;
  const chosen = pagesToPrint(scope, part);
  const { location, content } = chosen[0] ?? (sources[0] as PrintSource);
  const printed = await printPages(site, chosen);
  const { siteSpace } = location;
  return {
    language: content.space.language ?? 'en',
    title: chosenLook({ served, location }).title ?? served.site.title,
    source: addresses.canonical(name === WHOLE_SITE ? '' : siteSpace.path),
    assetsHref: `${addresses.below('~', 'assets')}/`,
    styleHref: addresses.below('~', 'styles', `${served.site.version}-${siteSpace.row.id}.css`),
    spaces: sources.flatMap((source) => {
      const pages = printed.get(source.location.siteSpace.row.id);
      if (pages === undefined) return [];
      return [
        {
          title: sources.length < 2 ? null : nameOf(source.location),
          contents: entriesOf(source.content.pages.roots, pages),
          pages: [...pages.values()],
        },
      ];
    }),
    parts: Array.from({ length: parts }, (_part, at) => ({
      href: addresses.below('~', 'print', name, ...(at === 0 ? [] : [String(at + 1)])),
      isCurrent: at === part,
    })),
  };
}

/** The navigation, as far as it leads to pages of the document. */
function entriesOf(
  pages: readonly IndexedPage[],
  printed: ReadonlyMap<string, PrintedPage>,
): readonly PrintedEntry[] {
  return pages.flatMap(({ row, children }): PrintedEntry[] => {
    const own = printed.get(row.id);
    const entries = entriesOf(children, printed);
    if (own === undefined && entries.length === 0) return [];
    return [{ title: row.title, href: own === undefined ? null : `#${own.id}`, entries }];
  });
}

function nameOf({ section, siteSpace }: VariantLocation): string {
  const { title } = siteSpace.row.space;
  return section === null || section.row.title === title ? title : `${section.row.title}: ${title}`;
}
