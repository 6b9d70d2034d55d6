import { type ConfigLink, createConfigReading } from '../../facts/index.ts';
import { type LocatedConfig, readConfigWithPositions } from '../script-config/read-script-config.ts';
import {
  isList,
  isScriptObject,
  type ScriptObject,
  type ScriptValue,
  settingAt,
} from '../script-config/script-value.ts';

/** Where in the configuration or the sidebars a link is, and whether it is the id of a document or an address. */
export type SiteLink =
  | 'sidebar-doc'
  | 'sidebar-link'
  | 'navbar-doc'
  | 'navbar-link'
  | 'footer-link'
  | 'redirect';

/** Links beyond this number are ignored, and nesting beyond this depth. */
const MAX_LINKS = 20_000;
const MAX_DEPTH = 40;

/**
 * Reads the links of `docusaurus.config.*`: the navigation bar, the footer, and the destinations of the redirects plugin.
 * Only literals in the file itself are links, because others have no position.
 */
export const siteConfigReading = createConfigReading('docusaurus-config', (text) => {
  const finder = new LinkFinder(readConfigWithPositions(text));
  const theme = settingAt(finder.value, 'themeConfig');
  finder.navbar(settingAt(theme, 'navbar', 'items'), 0);
  finder.footer(settingAt(theme, 'footer', 'links'));
  finder.redirects(settingAt(finder.value, 'plugins'));
  return finder.links;
});

/** Reads the links of sidebars (https://docusaurus.io/docs/sidebar/items). */
export const sidebarsReading = createConfigReading('docusaurus-sidebars', (text) => {
  const finder = new LinkFinder(readConfigWithPositions(text));
  if (isScriptObject(finder.value))
    for (const sidebar of finder.value.entries.values()) finder.sidebar(sidebar, 0);
  return finder.links;
});

class LinkFinder {
  readonly links: ConfigLink[] = [];
  readonly value: ScriptValue;
  readonly #positions: LocatedConfig['positions'];

  constructor({ value, positions }: LocatedConfig) {
    this.value = value;
    this.#positions = positions;
  }

  sidebar(items: ScriptValue, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (isList(items)) {
      items.forEach((item, at) => {
        if (typeof item === 'string') this.#add('sidebar-doc', items, at, item);
        else if (isScriptObject(item)) this.#sidebarItem(item, depth);
      });
    } else if (isScriptObject(items)) {
      // The shorthand of a category: its label and its items.
      for (const inner of items.entries.values()) this.sidebar(inner, depth + 1);
    }
  }

  #sidebarItem(item: ScriptObject, depth: number): void {
    const type = item.entries.get('type');
    if (type === undefined && !item.isOpen) this.sidebar(item, depth + 1);
    if (type === 'doc' || type === 'ref') this.#addKey('sidebar-doc', item, 'id');
    if (type === 'link') this.#addKey('sidebar-link', item, 'href');
    if (type !== 'category') return;
    const link = item.entries.get('link');
    if (link !== undefined && isScriptObject(link) && link.entries.get('type') === 'doc') {
      this.#addKey('sidebar-doc', link, 'id');
    }
    this.sidebar(item.entries.get('items'), depth + 1);
  }

  navbar(items: ScriptValue, depth: number): void {
    if (!isList(items) || depth > MAX_DEPTH) return;
    for (const item of items) {
      if (!isScriptObject(item)) continue;
      const plugin = settingAt(item, 'docsPluginId') ?? 'default';
      // A sidebar leads to its own first page, whatever else is written.
      const isSidebar = settingAt(item, 'type') === 'docSidebar';
      if (typeof plugin === 'string' && !isSidebar) this.#addKey('navbar-doc', item, 'docId', plugin);
      this.#addKey('navbar-link', item, 'to');
      this.#addKey('navbar-link', item, 'href');
      this.navbar(item.entries.get('items'), depth + 1);
    }
  }

  /** Reads columns of links, or single links. */
  footer(links: ScriptValue): void {
    for (const candidate of isList(links) ? links : []) {
      const items = isScriptObject(candidate) ? candidate.entries.get('items') : undefined;
      const inner: readonly ScriptValue[] = isList(items) ? items : [candidate];
      for (const link of inner) {
        if (!isScriptObject(link)) continue;
        this.#addKey('footer-link', link, 'to');
        this.#addKey('footer-link', link, 'href');
      }
    }
  }

  redirects(plugins: ScriptValue): void {
    for (const plugin of isList(plugins) ? plugins : []) {
      const [name, options]: readonly ScriptValue[] = isList(plugin) ? plugin : [];
      if (typeof name !== 'string' || !/client-redirects$/.test(name)) continue;
      const rules = settingAt(options, 'redirects');
      for (const rule of isList(rules) ? rules : [])
        if (isScriptObject(rule)) this.#addKey('redirect', rule, 'to');
    }
  }

  #addKey(carrier: SiteLink, container: ScriptObject, key: string, text?: string): void {
    const value = container.entries.get(key);
    const label = container.entries.get('label');
    if (typeof value !== 'string') return;
    this.#add(carrier, container, key, value, text ?? (typeof label === 'string' ? label : undefined));
  }

  #add(
    carrier: SiteLink,
    container: ScriptObject | readonly ScriptValue[],
    key: string | number,
    target: string,
    text?: string,
  ): void {
    const span = this.#positions.of(container, key);
    if (span === null || target === '' || this.links.length >= MAX_LINKS) return;
    this.links.push({ carrier, target, ...(text === undefined ? {} : { text }), ...span });
  }
}
