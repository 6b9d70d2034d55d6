import { namesSchemeOrHost } from '../../links/index.ts';
import {
  isList,
  isScriptObject,
  type ScriptObject,
  type ScriptValue,
  settingAt,
  textAt,
} from '../script-config/script-value.ts';

/** The sidebar of a configuration; labels are those of a language. */
export interface StarlightSidebar {
  readonly items: readonly StarlightItem[];
  /** In their order; one without a folder when the site has no translations. */
  readonly languages: readonly StarlightLanguage[];
}

export interface StarlightLanguage {
  /** Empty for the language without a folder. */
  readonly folder: string;
  readonly lang: string;
  readonly label: string | null;
}

export interface StarlightItem {
  readonly label: string | null;
  /** Label by language (`pt-BR`). */
  readonly translations: ReadonlyMap<string, string>;
  /** Where it leads; null for a group. A slug and a link of the site have no slashes at their ends. */
  readonly target:
    | { readonly kind: 'page' | 'elsewhere'; readonly to: string }
    | { readonly kind: 'folder'; readonly folder: string }
    | null;
  readonly items: readonly StarlightItem[];
}

/** Items of one configuration beyond this number are not read, nor deeper ones; real sidebars are smaller. */
const MAX_ITEMS = 20_000;
const MAX_DEPTH = 32;

/** Thrown where only running the configuration would tell what the sidebar contains. */
class Unsure extends Error {}

/** Reads `sidebar` (https://starlight.astro.build/guides/sidebar/); null when there is none, or it is not written out. */
export function readStarlightSidebar(options: ScriptValue): StarlightSidebar | null {
  const languages = languagesOf(settingAt(options, 'locales'));
  const sidebar = settingAt(options, 'sidebar');
  if (languages === null || !isList(sidebar)) return null;
  let left = MAX_ITEMS;
  const read = (items: ScriptValue, depth: number): readonly StarlightItem[] => {
    if (!isList(items) || depth > MAX_DEPTH) throw new Unsure();
    return items.map((item) => {
      left -= 1;
      if (left < 0) throw new Unsure();
      if (typeof item === 'string') return { ...pageItem(item), items: [] };
      if (!isScriptObject(item) || item.isOpen) throw new Unsure();
      const label = textOf(item, 'label');
      const inner = item.entries.has('items') ? read(item.entries.get('items'), depth + 1) : [];
      return { ...targetOf(item), label, translations: translationsOf(item), items: inner };
    });
  };
  try {
    return { items: read(sidebar, 1), languages };
  } catch (error) {
    if (error instanceof Unsure) return null;
    throw error;
  }
}

function pageItem(slug: string): Omit<StarlightItem, 'items'> {
  const to = slug === 'index' ? '' : slug;
  return { label: null, translations: new Map(), target: { kind: 'page', to } };
}

function targetOf(item: ScriptObject): Pick<StarlightItem, 'target'> {
  const link = textOf(item, 'link');
  if (link !== null && namesSchemeOrHost(link)) return { target: { kind: 'elsewhere', to: link } };
  if (link !== null) return { target: { kind: 'page', to: link.replace(/^\/+|\/+$/g, '') } };
  if (item.entries.has('autogenerate')) {
    const folder = textAt(item, 'autogenerate', 'directory');
    if (typeof folder !== 'string') throw new Unsure();
    return { target: { kind: 'folder', folder: folder.replace(/^\/+|\/+$/g, '') } };
  }
  const slug = textOf(item, 'slug');
  return slug === null ? { target: null } : { target: pageItem(slug).target };
}

function translationsOf(item: ScriptObject): ReadonlyMap<string, string> {
  const translations = item.entries.get('translations');
  if (!isScriptObject(translations)) return new Map();
  return new Map(
    [...translations.entries].flatMap(([lang, text]) => (typeof text === 'string' ? [[lang, text]] : [])),
  );
}

function textOf({ entries }: ScriptObject, key: string): string | null {
  const value = entries.get(key) ?? null;
  if (value !== null && typeof value !== 'string') throw new Unsure();
  return value;
}

/** The languages of `locales`; one without a folder where there are none, null where they are not known. */
export function languagesOf(locales: ScriptValue): readonly StarlightLanguage[] | null {
  if (locales === undefined) return [{ folder: '', lang: '', label: null }];
  if (!isScriptObject(locales) || locales.isOpen) return null;
  return [...locales.entries].map(([name, locale]) => ({
    folder: name === 'root' ? '' : name,
    lang: textAt(locale, 'lang') ?? name,
    label: textAt(locale, 'label') ?? null,
  }));
}
