import { isDeepStrictEqual } from 'node:util';
import type { Page } from '../../content/index.ts';
import type { PageRow, StoredPageSettings, StoredPart, StoredTarget } from '../../store/index.ts';
import { type SearchLanguages, searchLanguageAt } from '../search/search-language.ts';
import { nameSections } from './name-sections.ts';

/** The columns of a page's row that depend on its position. */
export interface PagePosition extends Pick<PageRow, 'id' | 'parentId' | 'position'> {
  readonly dialect: string | null;
  /** Whether a page above it is hidden. */
  readonly isBelowHidden: boolean;
}

export interface PageRowOptions {
  readonly now: Date;
  /** When the file at a path was last changed; undefined where that is not known, which counts as now. */
  readonly changedAt?: ((path: string) => Date | undefined) | undefined;
  /** The target of a link in a page's front matter; null if it is broken. */
  readonly targetOf: (file: string, target: string) => StoredTarget | null;
  /** The files that are included in the text of a page; null for none. */
  readonly partsOf: (file: string) => readonly StoredPart[] | null;
  /** The oids of blobs whose bytes the space did not receive: search must not find what others have of them. */
  readonly unread: ReadonlySet<string>;
  readonly languages: SearchLanguages;
}

/** A page as a row, with the times of the previous row; new bytes of the page or of an included file change `updatedAt`. */
export function toPageRow(
  page: Page,
  { isBelowHidden, ...position }: PagePosition,
  before: PageRow | undefined,
  { now, changedAt, targetOf, partsOf, unread, languages }: PageRowOptions,
): PageRow {
  const isRead = page.oid !== null && !unread.has(page.oid);
  const isSearched = !isBelowHidden && !page.hidden && isRead && page.settings?.noIndex !== true;
  const parts = page.file === null ? null : partsOf(page.file);
  const hasSameText =
    before?.gitOid === page.oid && isDeepStrictEqual(before?.settings?.parts ?? null, parts);
  const changed = (page.file === null ? undefined : changedAt?.(page.file)) ?? now;
  return {
    ...position,
    type: page.type,
    title: page.title,
    emoji: page.emoji,
    icon: page.icon,
    slug: page.slug,
    path: page.path,
    description: page.description,
    hidden: page.hidden,
    href: page.href,
    gitPath: page.file,
    gitOid: page.oid,
    settings: storeSettings(page, targetOf, parts),
    sectionsId: isSearched
      ? nameSections(page, {
          language: searchLanguageAt(languages, page.path),
          dialect: position.dialect ?? '',
          parts,
        })
      : null,
    createdAt: before?.createdAt ?? changed,
    updatedAt: before && hasSameText ? before.updatedAt : changed,
  };
}

function storeSettings(
  { file, settings }: Page,
  targetOf: PageRowOptions['targetOf'],
  parts: readonly StoredPart[] | null,
): StoredPageSettings | null {
  if (settings === null && parts === null) return null;
  const { cover, ...own } = settings ?? {};
  const rest = parts === null ? own : { ...own, parts };
  const ref = cover === undefined || file === null ? null : targetOf(file, cover.target);
  if (cover === undefined || file === null || ref === null) {
    return Object.keys(rest).length === 0 ? null : (rest as StoredPageSettings);
  }
  const { target: _target, darkTarget, ...position } = cover;
  const refDark = darkTarget === undefined ? null : targetOf(file, darkTarget);
  return {
    ...rest,
    cover: { ref, ...(refDark === null ? {} : { refDark }), ...position },
  } as StoredPageSettings;
}
