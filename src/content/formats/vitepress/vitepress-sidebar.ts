import {
  isList,
  isScriptObject,
  isUnknown,
  type ScriptObject,
  type ScriptValue,
  settingAt,
  textAt,
} from '../script-config/script-value.ts';

/** The sidebar of the pages below one path. */
export interface VitepressSidebar {
  /** The language whose configuration it is in; null for the default one. */
  readonly language: { readonly folder: string; readonly label: string | null } | null;
  /** The folder of those pages, without leading and trailing slashes; empty for the root. */
  readonly prefix: string;
  readonly items: readonly VitepressSidebarItem[];
}

export interface VitepressSidebarItem {
  readonly text: string | null;
  /** With the `base` of its group. */
  readonly link: string | null;
  readonly items: readonly VitepressSidebarItem[];
}

/** Items of one configuration beyond this number are not read, nor deeper ones; real sidebars are smaller. */
const MAX_ITEMS = 20_000;
const MAX_DEPTH = 32;

/** Thrown where only running the configuration would tell what a sidebar contains. */
class Unsure extends Error {}

export interface VitepressSidebars {
  readonly sidebars: readonly VitepressSidebar[];
  /** Whether one was left out. */
  readonly isPartial: boolean;
}

/**
 * Reads the sidebars of a configuration in their order (https://vitepress.dev/reference/default-theme-sidebar), also those
 * of languages. One that is not wholly written out is left out.
 */
export function sidebarsIn(config: ScriptValue): VitepressSidebars {
  const locales = settingAt(config, 'locales');
  const own = settingAt(locales, 'root', 'themeConfig', 'sidebar');
  const root = own === undefined ? settingAt(config, 'themeConfig', 'sidebar') : own;
  const languages = isScriptObject(locales) ? [...locales.entries].filter(([name]) => name !== 'root') : [];
  const reader = new SidebarReader();
  const sidebars = [
    ...reader.read(root, '').map((sidebar) => ({ ...sidebar, language: null })),
    ...languages.flatMap(([name, locale]) => {
      const language = { folder: trimmed(name), label: textAt(locale, 'label') ?? null };
      const sidebar = settingAt(locale, 'themeConfig', 'sidebar');
      return reader.read(sidebar, language.folder).map((found) => ({ ...found, language }));
    }),
  ];
  return { sidebars, isPartial: reader.isPartial };
}

class SidebarReader {
  isPartial = false;
  #left = MAX_ITEMS;

  /** `prefix` is the folder of the pages that a plain list is for. */
  read(sidebar: ScriptValue, prefix: string): readonly Omit<VitepressSidebar, 'language'>[] {
    if (isList(sidebar)) return this.#sidebar(prefix, sidebar, '');
    this.isPartial ||= isUnknown(sidebar);
    if (!isScriptObject(sidebar)) return [];
    this.isPartial ||= sidebar.isOpen;
    return [...sidebar.entries].flatMap(([key, value]) => {
      if (!isScriptObject(value)) return this.#sidebar(trimmed(key), value, '');
      const base = settingAt(value, 'base') ?? '';
      if (typeof base === 'string') return this.#sidebar(trimmed(key), settingAt(value, 'items'), base);
      this.isPartial = true;
      return [];
    });
  }

  #sidebar(prefix: string, items: ScriptValue, base: string): readonly Omit<VitepressSidebar, 'language'>[] {
    this.#left -= 1;
    if (this.#left < 0) {
      this.isPartial = true;
      return [];
    }
    try {
      return [{ prefix, items: this.#items(items, base, 1) }];
    } catch (error) {
      if (!(error instanceof Unsure)) throw error;
      this.isPartial = true;
      return [];
    }
  }

  #items(items: ScriptValue, base: string, depth: number): readonly VitepressSidebarItem[] {
    if (items === undefined) return [];
    if (!isList(items) || depth > MAX_DEPTH) throw new Unsure();
    return items.map((item) => {
      this.#left -= 1;
      if (!isScriptObject(item) || item.isOpen || this.#left < 0) throw new Unsure();
      const text = textOf(item, 'text');
      const link = textOf(item, 'link');
      const below = textOf(item, 'base') || base;
      return {
        text: text === null ? null : withoutTags(text),
        link: link === null || link === '' ? null : linkBelow(below, link),
        items: this.#items(item.entries.get('items'), below, depth + 1),
      };
    });
  }
}

function textOf({ entries }: ScriptObject, key: string): string | null {
  const value = entries.get(key) ?? null;
  if (value !== null && typeof value !== 'string') throw new Unsure();
  return value;
}

/** The theme shows texts as HTML; other themes show them as they are, also one that is nothing but `<script setup>`. */
function withoutTags(text: string): string | null {
  return text.replace(/<[^<>]*>/g, '').trim() || text.trim() || null;
}

function linkBelow(base: string, link: string): string {
  return base === '' || isElsewhere(link) ? link : base + link.replace(/^\//, base.endsWith('/') ? '' : '/');
}

/** Whether a link leads to another site. */
export function isElsewhere(link: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(link);
}

function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
