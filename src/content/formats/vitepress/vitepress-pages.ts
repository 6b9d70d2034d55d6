import { parseTarget } from '../../links/index.ts';
import type { Page, RepoPath } from '../../model/index.ts';
import { pagesFromSidebar, type SidebarItem, titleFromName } from '../../pages/index.ts';
import { candidatesOf } from './vitepress-candidates.ts';
import type { VitepressPages } from './vitepress-context.ts';
import { isElsewhere, type VitepressSidebarItem } from './vitepress-sidebar.ts';

/**
 * Arranges pages as the sidebars of the configuration do. The theme shows one of them at a time; here each is below an
 * entry for the folder whose pages show it, where there are several, and those of a language are below the language.
 */
export function vitepressPages(known: VitepressPages, usual: readonly Page[]): readonly Page[] {
  const sidebars = known.site.sidebars().sidebars.map(({ items, ...sidebar }) => ({
    ...sidebar,
    items: toItems(known, items),
  }));
  const listed = new Set(sidebars.flatMap(({ items }) => filesIn(items)));
  const folderItem = (folder: string, label: string | null, items: readonly SidebarItem[]): SidebarItem => {
    const file = pageAt(known, `/${folder}/`);
    return file !== null && !listed.has(file)
      ? { title: label, file, items }
      : { title: label ?? titleFromName(folder), items };
  };
  const counts = new Map<string | undefined, number>();
  for (const { language } of sidebars) counts.set(language?.folder, (counts.get(language?.folder) ?? 0) + 1);
  const languages = new Map<string, { readonly label: string | null; readonly items: SidebarItem[] }>();
  const all: SidebarItem[] = [];
  for (const { language, prefix, items } of sidebars) {
    const isNamed = items.length === 1 && items[0]?.title != null && items[0].items.length > 0;
    const isAlone = counts.get(language?.folder) === 1 || prefix === (language?.folder ?? '') || isNamed;
    const own = isAlone ? items : [folderItem(prefix, null, items)];
    if (language === null) all.push(...own);
    else {
      const found = languages.get(language.folder) ?? { label: language.label, items: [] };
      found.items.push(...own);
      languages.set(language.folder, found);
    }
  }
  for (const [folder, { label, items }] of languages) all.push(folderItem(folder, label, items));
  return pagesFromSidebar(all, usual);
}

function toItems(known: VitepressPages, items: readonly VitepressSidebarItem[]): readonly SidebarItem[] {
  return items.map(({ text, link, items: inner }) => ({
    title: text,
    ...(link === null ? {} : isElsewhere(link) ? { href: link } : targetOf(known, link)),
    items: toItems(known, inner),
  }));
}

function filesIn(items: readonly SidebarItem[]): RepoPath[] {
  return items.flatMap(({ file, items: inner }) => [...(file == null ? [] : [file]), ...filesIn(inner)]);
}

/** The page, or the part of one, to which a link of the sidebar leads; none when there is no such page. */
function targetOf(known: VitepressPages, link: string): Pick<SidebarItem, 'file' | 'leadsTo'> {
  const [path = '', fragment] = link.split('#');
  const file = pageAt(known, path);
  if (file === null || fragment === undefined) return { file };
  return { leadsTo: { file, fragment } };
}

/** The page at an address; null when there is none. */
function pageAt(known: VitepressPages, address: string): RepoPath | null {
  const { config } = known.site;
  const reference = { kind: 'config', target: address.startsWith('.') ? `/${address}` : address } as const;
  const parsed = parseTarget(config, reference);
  const place = { text: '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  const candidates = candidatesOf(known, { kind: 'page' }, config, parsed, { ...place, ...reference });
  return candidates.find((path) => known.pages.has(path)) ?? null;
}
