import type { PageRow, RevisionRow, SpaceRow } from '../../store/index.ts';
import { dependsOnVisitor } from '../content/visitor-text.ts';
import type { PlatformDeps } from '../deps.ts';
import { nameSections } from '../revisions/name-sections.ts';
import { searchLanguage } from './search-language.ts';

/**
 * Whether what is stored of a page for the search may have what only some visitors see: releases before this one left it in,
 * and the next import replaces it. Nobody who reads a site may be shown that.
 */
export async function maySearchShowHidden(
  deps: PlatformDeps,
  content: {
    readonly space: SpaceRow;
    readonly revision: RevisionRow;
    /** Of the page. */
    readonly language: string | null;
  },
  page: PageRow,
): Promise<boolean> {
  const { title, description, gitOid: oid, dialect, settings } = page;
  const current = nameSections(
    { title, description, oid },
    {
      language: searchLanguage(content.language),
      dialect: dialect ?? '',
      parts: settings?.parts ?? null,
    },
  );
  return page.sectionsId !== current && (await dependsOnVisitor(deps, content, page));
}
