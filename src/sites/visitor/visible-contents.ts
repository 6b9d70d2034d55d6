import { type ArrangedStructure, type ConditionScope, isTrueFor } from '../../platform/index.ts';
import type { PageRow, ShownSpace } from '../../store/index.ts';
import { indexPages, type PageIndex } from '../content/page-index.ts';
import type { SpaceContent, SpaceContents } from '../content/space-contents.ts';
import { locationsOf } from '../locate-path.ts';

/** The contents of spaces as one visitor sees them. */
export type VisibleContents = Pick<SpaceContents, 'load'>;

/** Different conditions of a space's pages that are evaluated; pages with further ones are there for nobody. */
const MAX_CONDITIONS = 200;

/** Selections that are kept of one version of a space. */
const MAX_SELECTIONS = 20;

const conditionsOf = new WeakMap<PageIndex, readonly string[]>();
const selections = new WeakMap<PageIndex, Map<string, PageIndex>>();

/** Leaves out the pages whose condition is not true for a visitor, with what is below them. */
export function visibleContents(contents: SpaceContents, claims: ConditionScope): VisibleContents {
  return {
    async load(shown: ShownSpace): Promise<SpaceContent | null> {
      const content = await contents.load(shown);
      if (content === null) return null;
      const pages = select(content.pages, claims);
      return pages === content.pages ? content : { ...content, pages };
    },
  };
}

/** The outcomes of the conditions of all pages of a site: visitors for whom they are the same see the same pages. */
export async function pageOutcomes(
  contents: SpaceContents,
  structure: ArrangedStructure,
  claims: ConditionScope,
): Promise<string> {
  const keys: string[] = [];
  for (const { siteSpace } of locationsOf(structure)) {
    const content = await contents.load(siteSpace.row.space);
    if (content !== null) keys.push(keyOf(listConditions(content.pages), claims));
  }
  return keys.join(' ');
}

function select(pages: PageIndex, claims: ConditionScope): PageIndex {
  const conditions = listConditions(pages);
  if (conditions.length === 0) return pages;
  const key = keyOf(conditions, claims);
  const known = selections.get(pages) ?? new Map<string, PageIndex>();
  selections.set(pages, known);
  const found =
    known.get(key) ??
    leaveOut(
      pages,
      conditions.filter((_condition, at) => key[at] === '0'),
    );
  if (known.size < MAX_SELECTIONS) known.set(key, found);
  return found;
}

function leaveOut(pages: PageIndex, untrue: readonly string[]): PageIndex {
  const evaluated = new Set(listConditions(pages));
  const hidden = new Set(untrue);
  const left = new Set<string>();
  const rows: PageRow[] = [];
  for (const { row, stored, parent } of pages.byId.values()) {
    const { condition } = row.settings ?? {};
    const isOut = condition !== undefined && (hidden.has(condition) || !evaluated.has(condition));
    if (isOut || (parent !== null && left.has(parent.row.id))) left.add(row.id);
    else rows.push(stored);
  }
  return indexPages(withoutEmptyGroups(rows, pages), pages.names);
}

/** A group of which no page is left is only the title of what is hidden. */
function withoutEmptyGroups(rows: readonly PageRow[], { byId }: PageIndex): readonly PageRow[] {
  const filled = new Set<string>();
  return rows
    .toReversed()
    .filter(({ id, type, parentId }) => {
      const isEmpty = type === 'group' && !filled.has(id) && (byId.get(id)?.children.length ?? 0) > 0;
      if (!isEmpty && parentId !== null) filled.add(parentId);
      return !isEmpty;
    })
    .toReversed();
}

function keyOf(conditions: readonly string[], claims: ConditionScope): string {
  return conditions.map((condition) => (isTrueFor(condition, claims) ? '1' : '0')).join('');
}

function listConditions(pages: PageIndex): readonly string[] {
  const known = conditionsOf.get(pages);
  if (known !== undefined) return known;
  const all = new Set<string>();
  for (const { row } of pages.byId.values()) {
    if (row.settings?.condition !== undefined && all.size < MAX_CONDITIONS) all.add(row.settings.condition);
  }
  const conditions = [...all];
  conditionsOf.set(pages, conditions);
  return conditions;
}
