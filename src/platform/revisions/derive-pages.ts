import type { Page, SpaceAnalysis } from '../../content/index.ts';
import type { PageRow } from '../../store/index.ts';
import type { ContentNames } from './name-content.ts';
import { type PageRowOptions, toPageRow } from './page-row.ts';
import { positionSiblings } from './position-siblings.ts';

/** Levels of the navigation. Deeper pages are flattened into the last level: many JSON parsers stop at 1,000. */
export const MAX_DEPTH = 64;

export interface DerivedPages {
  /** Depth first. */
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

  /** The name of an entry; repeated entries of the navigation are numbered. */
  function nameOf(page: Page): string {
    const kind = page.type === 'document' ? 'page' : page.type;
    const location = page.file ?? (page.type === 'link' ? `${page.path}\n${page.href}` : page.path);
    const turns = used.get(kind) ?? new Map<string, number>();
    const turn = (turns.get(location) ?? 0) + 1;
    used.set(kind, turns.set(location, turn));
    return options.names.idOf(turn === 1 ? kind : `${kind}:${turn}`, location);
  }

  function visit(nested: readonly Page[], parentId: string | null, isBelowHidden: boolean, depth = 1): void {
    const siblings = depth < MAX_DEPTH ? nested : nested.flatMap(withAllBelow);
    const ids = siblings.map(nameOf);
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

function withAllBelow(page: Page): readonly Page[] {
  const all: Page[] = [];
  const waiting = [page];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    all.push(next);
    waiting.push(...next.pages.toReversed());
  }
  return all;
}
