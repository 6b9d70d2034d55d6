import type { Page, SpaceAnalysis } from '../../content/index.ts';
import type { PageRow } from '../../store/index.ts';
import type { ContentNames } from './name-content.ts';
import { type PageRowOptions, toPageRow } from './page-row.ts';
import { positionSiblings } from './position-siblings.ts';

/** The most levels of the navigation. Deeper pages are moved up to the last level: many JSON parsers stop at 1,000. */
export const MAX_DEPTH = 64;

export interface DerivedPages {
  /** In depth-first order. */
  readonly rows: readonly PageRow[];
  /** The ids of the navigation's entries. */
  readonly ids: ReadonlyMap<Page, string>;
}

/** The navigation as rows. */
export function derivePages(
  { pages, dialects }: Pick<SpaceAnalysis, 'pages' | 'dialects'>,
  options: PageRowOptions & {
    readonly names: ContentNames;
    readonly previous: ReadonlyMap<string, PageRow>;
  },
): DerivedPages {
  const rows: PageRow[] = [];
  const idOfPage = new Map<Page, string>();
  const used = new Map<string, Map<string, number>>();

  /** The id of an entry; repeated entries of the navigation are numbered. */
  function idOfEntry(page: Page): string {
    const kind = page.type === 'document' ? 'page' : page.type;
    const location = page.file ?? (page.type === 'link' ? `${page.path}\n${page.href}` : page.path);
    const occurrences = used.get(kind) ?? new Map<string, number>();
    const occurrence = (occurrences.get(location) ?? 0) + 1;
    used.set(kind, occurrences.set(location, occurrence));
    return options.names.idOf(occurrence === 1 ? kind : `${kind}:${occurrence}`, location);
  }

  function visit(nested: readonly Page[], parentId: string | null, isBelowHidden: boolean, depth = 1): void {
    const siblings = depth < MAX_DEPTH ? nested : nested.flatMap(withDescendants);
    const ids = siblings.map(idOfEntry);
    const positions = positionSiblings(
      ids.map((id) => {
        const before = options.previous.get(id);
        return before?.parentId === parentId ? before.position : undefined;
      }),
    );
    siblings.forEach((page, index) => {
      const [id, position] = [ids[index] as string, positions[index] as number];
      const dialect = page.file === null ? null : (dialects[page.file] ?? '');
      const rowPosition = { id, parentId, position, dialect, isBelowHidden };
      idOfPage.set(page, id);
      rows.push(toPageRow(page, rowPosition, options.previous.get(id), options));
      if (depth < MAX_DEPTH) visit(page.pages, id, isBelowHidden || page.hidden, depth + 1);
    });
  }

  visit(pages, null, false);
  return { rows, ids: idOfPage };
}

function withDescendants(page: Page): readonly Page[] {
  const all: Page[] = [];
  const stack = [page];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    all.push(next);
    stack.push(...next.pages.toReversed());
  }
  return all;
}
