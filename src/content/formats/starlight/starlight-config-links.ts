import { type ConfigLink, createConfigReading } from '../../facts/index.ts';
import { readConfigWithPositions, readExportsWithPositions } from '../script-config/read-script-config.ts';
import type { ScriptPositions } from '../script-config/script-positions.ts';
import {
  isList,
  isScriptObject,
  type ScriptObject,
  type ScriptValue,
  settingAt,
} from '../script-config/script-value.ts';
import { readStarlightCall, starlightOptions } from './starlight-config.ts';

/**
 * Reads the links of `astro.config.*`: the sidebar's addresses and slugs, the destinations of redirects, and files that
 * Starlight loads (https://starlight.astro.build/reference/configuration/). Only literals in the file itself are links.
 */
export const starlightConfigReading = createConfigReading('starlight-config', (text) => {
  const { value, positions } = readConfigWithPositions(text, readStarlightCall);
  if (!isScriptObject(value)) return [];
  const links = new Links(positions);
  links.redirects(settingAt(value, 'redirects'));
  const starlight = starlightOptions(value);
  if (isScriptObject(starlight)) links.starlight(starlight);
  return links.found;
});

/** Reads the links of a module that exports a sidebar, or parts of one. */
export const starlightModuleReading = createConfigReading('starlight-module', (text) => {
  const { values, positions } = readExportsWithPositions(text);
  const links = new Links(positions);
  for (const value of values) {
    if (isList(value) && value.some((candidate) => isScriptObject(candidate) && isItem(candidate)))
      links.sidebar(value);
  }
  return links.found;
});

/** Whether an object is an item of a sidebar: a module may also export other lists. */
function isItem({ entries }: ScriptObject): boolean {
  return ['items', 'slug', 'link', 'autogenerate'].some((key) => entries.has(key));
}

/** Items of one configuration beyond this number are ignored; real sidebars are shorter. */
const MAX_ITEMS = 20_000;

class Links {
  readonly found: ConfigLink[] = [];
  readonly #positions: ScriptPositions;
  #left = MAX_ITEMS;

  constructor(positions: ScriptPositions) {
    this.#positions = positions;
  }

  starlight(options: ScriptObject): void {
    this.sidebar(settingAt(options, 'sidebar'));
    const logo = settingAt(options, 'logo');
    if (isScriptObject(logo)) for (const key of ['src', 'light', 'dark']) this.#add(logo, key, 'file');
    this.#add(options, 'favicon', 'favicon');
    const styles = settingAt(options, 'customCss');
    if (isList(styles)) for (const at of styles.keys()) this.#add(styles, at, 'file');
    const components = settingAt(options, 'components');
    if (isScriptObject(components))
      for (const key of components.entries.keys()) this.#add(components, key, 'file');
  }

  redirects(redirects: ScriptValue): void {
    if (!isScriptObject(redirects)) return;
    for (const [from, to] of redirects.entries) {
      if (isScriptObject(to)) this.#add(to, 'destination', 'redirect', from);
      else this.#add(redirects, from, 'redirect', from);
    }
  }

  sidebar(items: ScriptValue): void {
    if (!isList(items)) return;
    for (const [at, item] of items.entries()) {
      this.#left -= 1;
      if (this.#left < 0) return;
      if (typeof item === 'string') this.#add(items, at, 'slug');
      if (!isScriptObject(item)) continue;
      const label = item.entries.get('label');
      this.#add(item, 'link', 'sidebar', label);
      this.#add(item, 'slug', 'slug', label);
      this.sidebar(settingAt(item, 'items'));
    }
  }

  #add(
    container: ScriptObject | readonly ScriptValue[],
    key: string | number,
    carrier: string,
    text?: ScriptValue,
  ): void {
    const target = isScriptObject(container) ? container.entries.get(String(key)) : container[Number(key)];
    const span = this.#positions.of(container, key);
    if (typeof target !== 'string' || span === null) return;
    // Modules of packages are not in the repository.
    if (carrier === 'file' && !target.startsWith('.') && !target.startsWith('/')) return;
    this.found.push({ carrier, target, ...(typeof text === 'string' ? { text } : {}), ...span });
  }
}
