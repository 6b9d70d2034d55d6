import { type ConfigLink, createConfigReading } from '../../facts/index.ts';
import { readConfigWithPositions, readExportsWithPositions } from '../script-config/read-script-config.ts';
import type { ScriptPositions } from '../script-config/script-positions.ts';
import {
  isList,
  isScriptObject,
  isUnknown,
  type ScriptObject,
  type ScriptValue,
  settingAt,
} from '../script-config/script-value.ts';

/**
 * Reads the links of the navigation bar, the sidebar, the logo and `<head>`
 * (https://vitepress.dev/reference/default-theme-config).
 */
export const vitepressConfigReading = createConfigReading('vitepress-config', (text) => {
  const { value, positions } = readConfigWithPositions(text);
  return linksOf([value], positions);
});

/** Reads the links of a module that the configuration imports, which may export any part of it. */
export const vitepressModuleReading = createConfigReading('vitepress-module', (text) => {
  const { values, positions } = readExportsWithPositions(text);
  return linksOf(values, positions);
});

/** The `base` to which a link of the sidebar is appended, from its carrier; `?` when another module decides. */
export function sidebarBase(carrier: string | undefined): string | null {
  return carrier?.startsWith(SIDEBAR) === true ? carrier.slice(SIDEBAR.length) : null;
}

const SIDEBAR = 'sidebar:';
const UNKNOWN_BASE = '?';

/** Items of one configuration beyond this number are ignored; real navigations are shorter. */
const MAX_ITEMS = 20_000;

function linksOf(values: readonly ScriptValue[], positions: ScriptPositions): readonly ConfigLink[] {
  const links = new Links(positions);
  for (const value of values) {
    if (isScriptObject(value) && isConfig(value)) links.config(value);
    else links.part(value);
  }
  return [...links.found.values()];
}

function isConfig({ entries }: ScriptObject): boolean {
  return (
    ['themeConfig', 'locales', 'head', 'srcDir', 'base', 'title'].some((key) => entries.has(key)) &&
    !entries.has('link')
  );
}

class Links {
  /** By offset, so that a part that is used twice is reported once. */
  readonly found = new Map<number, ConfigLink>();
  readonly #positions: ScriptPositions;
  #left = MAX_ITEMS;

  constructor(positions: ScriptPositions) {
    this.#positions = positions;
  }

  config(config: ScriptObject): void {
    const locales = settingAt(config, 'locales');
    const themes = [config, ...(isScriptObject(locales) ? locales.entries.values() : [])].filter(
      isScriptObject,
    );
    for (const candidate of themes) {
      // The destination of an entry in the menu of languages.
      if (candidate !== config) this.#add(candidate, 'link', 'nav');
      const theme = settingAt(candidate, 'themeConfig');
      if (isScriptObject(theme)) this.#theme(theme);
      this.#head(settingAt(candidate, 'head'));
    }
  }

  /** Reads an exported part of a configuration: a theme, a sidebar, or items of either bar. */
  part(value: ScriptValue): void {
    if (isScriptObject(value) && (value.entries.has('nav') || value.entries.has('sidebar')))
      this.#theme(value);
    else if (isScriptObject(value) && [...value.entries.keys()].every((key) => key.startsWith('/')))
      this.#sidebar(value);
    else if (isList(value) && value.some(hasText)) this.#items(value, UNKNOWN_BASE);
    else if (isScriptObject(value) && hasText(value)) this.#item(value, UNKNOWN_BASE);
  }

  #theme(theme: ScriptObject): void {
    this.#items(settingAt(theme, 'nav'), null);
    this.#sidebar(settingAt(theme, 'sidebar'));
    const logo = settingAt(theme, 'logo');
    if (isScriptObject(logo)) for (const key of ['src', 'light', 'dark']) this.#add(logo, key, 'logo');
    else this.#add(theme, 'logo', 'logo');
    this.#add(theme, 'logoLink', 'nav');
  }

  #sidebar(sidebar: ScriptValue): void {
    if (isList(sidebar)) this.#items(sidebar, '');
    if (!isScriptObject(sidebar)) return;
    for (const group of sidebar.entries.values()) {
      if (isList(group)) this.#items(group, '');
      else if (isScriptObject(group)) this.#items(settingAt(group, 'items'), baseOf(group, ''));
    }
  }

  /** `base` is null for the navigation bar, which has none. */
  #items(items: ScriptValue, base: string | null): void {
    if (!isList(items)) return;
    for (const item of items) if (isScriptObject(item)) this.#item(item, base);
  }

  #item(item: ScriptObject, base: string | null): void {
    this.#left -= 1;
    if (this.#left < 0) return;
    const own = base === null ? null : baseOf(item, base);
    const opensAsIs = ['target', 'rel', 'noIcon'].some((key) => item.entries.has(key)) || item.isOpen;
    const carrier = opensAsIs ? 'target' : own === null ? 'nav' : `${SIDEBAR}${own}`;
    this.#add(item, 'link', carrier, item.entries.get('text'));
    this.#items(settingAt(item, 'items'), own);
  }

  /** Reads the files that tags in `<head>` name, such as the icon. */
  #head(head: ScriptValue): void {
    for (const tag of isList(head) ? head : []) {
      const attributes = isList(tag) ? tag[1] : undefined;
      if (!isScriptObject(attributes)) continue;
      for (const key of ['href', 'src']) {
        const value = attributes.entries.get(key);
        if (typeof value === 'string' && /^\/[^/].*\.\w+$/.test(value)) this.#add(attributes, key, 'head');
      }
    }
  }

  #add(object: ScriptObject, key: string, carrier: string, text?: ScriptValue): void {
    const target = object.entries.get(key);
    const span = this.#positions.of(object, key);
    if (typeof target !== 'string' || target === '' || span === null) return;
    const known = this.found.get(span.start);
    const isBelowTwoBases = known !== undefined && known.carrier !== carrier;
    this.found.set(span.start, {
      carrier: isBelowTwoBases ? SIDEBAR + UNKNOWN_BASE : carrier,
      target,
      ...(typeof text === 'string' ? { text } : {}),
      ...span,
    });
  }
}

function baseOf({ entries, isOpen }: ScriptObject, outer: string): string {
  const own = entries.get('base');
  if (own === undefined) return isOpen ? UNKNOWN_BASE : outer;
  return typeof own === 'string' ? own || outer : UNKNOWN_BASE;
}

function hasText(value: ScriptValue): boolean {
  return isScriptObject(value) && value.entries.has('text');
}

/** The `base` of every group of the sidebar; null when the configuration may set further ones. */
export function basesIn(config: ScriptValue): readonly string[] | null {
  const bases = new Set<string>();
  const locales = settingAt(config, 'locales');
  if (isUnknown(locales)) return null;
  const themes: readonly ScriptValue[] = [
    config,
    ...(isScriptObject(locales) ? locales.entries.values() : []),
  ];
  const open: ScriptValue[] = themes.map((theme) => settingAt(theme, 'themeConfig', 'sidebar'));
  let left = MAX_ITEMS;
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    left -= 1;
    if (isUnknown(value) || left < 0) return null;
    if (isList(value)) open.push(...value);
    if (!isScriptObject(value)) continue;
    const base = value.entries.get('base');
    if (typeof base === 'string') bases.add(base);
    else if (base !== undefined || value.isOpen) return null;
    const isItem = value.entries.has('items') || value.entries.has('link');
    if (isItem) open.push(value.entries.get('items'));
    else if (!value.entries.has('text')) open.push(...value.entries.values());
  }
  return [...bases];
}
