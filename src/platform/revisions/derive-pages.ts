import type { Page, SpaceAnalysis } from '../../content/index.ts';
import type { PageRow, StoredPageSettings, StoredTarget } from '../../store/pages.ts';
import type { ContentNames } from './name-content.ts';
import { placeSiblings } from './place-siblings.ts';

/** Levels of the navigation. Pages below stand beside each other on the last one: many readers of JSON end at 1,000. */
const MAX_DEPTH = 64;

function withAllBelow(page: Page): readonly Page[] {
  const all: Page[] = [];
  const waiting = [page];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    all.push(next);
    waiting.push(...next.pages.toReversed());
  }
  return all;
}

/** The navigation as rows, depth first. A page keeps the times that its id had before; new bytes move `updatedAt`. */
export function derivePages(
  { pages, dialects }: Pick<SpaceAnalysis, 'pages' | 'dialects'>,
  options: {
    readonly names: ContentNames;
    readonly previous: ReadonlyMap<string, PageRow>;
    readonly now: Date;
    /** Where a destination in a page's front matter leads; null where that is nowhere. */
    readonly targetOf: (file: string, target: string) => StoredTarget | null;
    /** The set of a page's sections, as far as the page itself is not left out of search. */
    readonly sectionsOf: (page: Page) => string;
  },
): PageRow[] {
  const rows: PageRow[] = [];
  const used = new Map<string, number>();

  /** What stands several times in the navigation is told apart by its turn. */
  function nameOf(page: Page): string {
    const kind = page.type === 'document' ? 'page' : page.type;
    const place = page.file ?? (page.type === 'link' ? `${page.path}\n${page.href}` : page.path);
    const turn = (used.get(`${kind}\0${place}`) ?? 0) + 1;
    used.set(`${kind}\0${place}`, turn);
    return options.names.idOf(turn === 1 ? kind : `${kind}:${turn}`, place);
  }

  function visit(nested: readonly Page[], parentId: string | null, isHidden: boolean, depth = 1): void {
    const siblings = depth < MAX_DEPTH ? nested : nested.flatMap(withAllBelow);
    const ids = siblings.map(nameOf);
    const positions = placeSiblings(
      ids.map((id) => {
        const before = options.previous.get(id);
        return before?.parentId === parentId ? before.position : undefined;
      }),
    );
    siblings.forEach((page, index) => {
      const id = ids[index] as string;
      const before = options.previous.get(id);
      rows.push({
        id,
        parentId,
        position: positions[index] as number,
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
        dialect: page.file === null ? null : (dialects[page.file] ?? ''),
        settings: storeSettings(page, options.targetOf),
        sectionsId:
          isHidden || page.hidden || page.oid === null || page.settings?.noIndex === true
            ? null
            : options.sectionsOf(page),
        createdAt: before?.createdAt ?? options.now,
        updatedAt: before && before.gitOid === page.oid ? before.updatedAt : options.now,
      });
      if (depth < MAX_DEPTH) visit(page.pages, id, isHidden || page.hidden, depth + 1);
    });
  }

  visit(pages, null, false);
  return rows;
}

function storeSettings(
  { file, settings }: Page,
  targetOf: (file: string, target: string) => StoredTarget | null,
): StoredPageSettings | null {
  if (settings === null) return null;
  const { cover, ...others } = settings;
  const ref = cover === undefined || file === null ? null : targetOf(file, cover.target);
  if (cover === undefined || file === null || ref === null) {
    return Object.keys(others).length === 0 ? null : (others as StoredPageSettings);
  }
  const { target: _target, darkTarget, ...place } = cover;
  const refDark = darkTarget === undefined ? null : targetOf(file, darkTarget);
  return {
    ...others,
    cover: { ref, ...(refDark === null ? {} : { refDark }), ...place },
  } as StoredPageSettings;
}
