import { asList, asRecord, asText } from '../untyped-values.ts';
import type { Named } from './yaml-values.ts';

/** The languages of a site with the plugin `i18n` (https://ultrabug.github.io/mkdocs-static-i18n/). */
export interface Locales {
  /** `page.fr.md`, or `fr/page.md`. */
  readonly structure: 'suffix' | 'folder';
  readonly names: ReadonlySet<string>;
  readonly standard: string;
  /** Whether pages without a translation are published untranslated in the other languages. */
  readonly fallsBack: boolean;
}

/** A path in the folder of pages, split from the language in it. */
export interface LocalisedPath {
  readonly plain: string;
  /** Null when the path names no language. */
  readonly locale: string | null;
}

export function readLocales(plugins: readonly Named[]): Locales | null {
  const options = plugins.find((plugin) => plugin.name === 'i18n')?.options;
  if (options === undefined) return null;
  const list = asList(options['languages']).map(asRecord);
  const names = Array.isArray(options['languages'])
    ? list.flatMap((item) => asText(item['locale']) ?? [])
    : Object.keys(asRecord(options['languages']));
  const standard =
    asText(list.find((item) => item['default'] === true)?.['locale']) ??
    asText(options['default_language']) ??
    names[0] ??
    'en';
  return {
    structure: options['docs_structure'] === 'folder' ? 'folder' : 'suffix',
    names: new Set([...names, standard]),
    standard,
    fallsBack: options['fallback_to_default'] !== false,
  };
}

/** `path` is inside the folder of pages. */
export function localisedPath(locales: Locales | null, path: string): LocalisedPath {
  if (locales === null) return { plain: path, locale: null };
  const [, before = '', locale = '', after = ''] =
    (locales.structure === 'folder'
      ? /^()([^/]+)\/([\s\S]+)$/
      : /^((?:[\s\S]*\/)?[^/]+)\.([^./]+)(\.[^./]+)$/
    ).exec(path) ?? [];
  return locales.names.has(locale) ? { plain: before + after, locale } : { plain: path, locale: null };
}

/**
 * Paths that a link to `path` may lead to on a page of the language `locale`, in the plugin's order
 * (`I18nFiles.get_file_from_path`): with folders, also the same path without a language, and below that of the page.
 */
export function localisedChoices(
  locales: Locales | null,
  path: string,
  locale: string | null,
): readonly string[] {
  if (locales === null) return [path];
  const { standard } = locales;
  if (locales.structure === 'folder') {
    const { plain, locale: own } = localisedPath(locales, path);
    const current = locale ?? standard;
    const fallback = own === standard ? current : standard;
    const named = [own ?? current, ...(locales.fallsBack ? [fallback] : [])].map(
      (name) => `${name}/${plain}`,
    );
    return [...new Set([...named, plain])];
  }
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return [path];
  const named = (name: string) => `${path.slice(0, dot)}.${name}${path.slice(dot)}`;
  return [...new Set([named(locale ?? standard), named(standard), path])];
}
