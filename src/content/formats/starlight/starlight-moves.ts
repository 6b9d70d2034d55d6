import type {
  ConfigurationChange,
  FormatMoves,
  PublishedFiles,
  RedirectTable,
  RepositoryFiles,
  SpaceMove,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside, trimSlashes } from '../../tree/index.ts';
import { hostRedirectTable } from '../host-redirect-table.ts';
import { changeScripts, type ScriptChange, scriptsFrom } from '../script-config/script-moves.ts';
import {
  addScriptEntries,
  groupOfKey,
  literalsOf,
  quoteLike,
  scriptEntryLines,
  settingsGroup,
} from '../script-config/script-redirects.ts';
import { ASTRO_CONFIG_NAMES, type AstroConfig, readAstroConfig } from './starlight-config.ts';

/** Updates `astro.config.*` of a Starlight site: the sidebar, paths and redirects. */
export const starlightMoves: FormatMoves = {
  configure,
  addresses: ({ pages }) => pages,
  liveAddresses,
  redirects,
};

/** Keys in the sidebar whose values are addresses (https://starlight.astro.build/reference/configuration/#sidebar). */
const ADDRESS_KEYS = /^(?:slug|link|items|href)$/;

function configure(move: SpaceMove): ConfigurationChange {
  const config = readAstroConfig(configFile(move.repository, move.directory), move.repository);
  const pages = new Map([...move.addresses].map(([file, { before, after }]) => [before, { file, after }]));
  const changed = (address: string) => {
    const found = pages.get(address);
    return found === undefined || found.after === null || found.after === address ? null : found.after;
  };
  return changeScripts(move, scriptsFrom(move, [config.file]), ({ value, key, isKey }) => {
    if (isKey || /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(value)) return null;
    if (key === 'directory') return folderChange(move, config, value);
    const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(value) ?? [];
    const own = withoutBase(path, config);
    const languages = (config.locales ?? []).filter(
      (locale) => locale === config.defaultLocale && locale !== '',
    );
    // The sidebar names pages without their language.
    const to =
      changed(own) ??
      languages.map((language) => changed(`${language}/${own}`)?.replace(`${language}/`, '')).find(Boolean);
    if (to === null || to === undefined) return null;
    if (key === null || !ADDRESS_KEYS.test(key)) {
      return path.includes('/')
        ? { notice: `${value} is now /${to}/. Change it if it means that page` }
        : null;
    }
    const base =
      path.startsWith('/') && trimSlashes(path) !== own && config.basePath ? `${config.basePath}/` : '';
    return {
      to: (path.startsWith('/') ? '/' : '') + base + to + (path.endsWith('/') && to !== '' ? '/' : '') + tail,
    };
  });
}

/** A missing translation is replaced by the page of the default language (https://starlight.astro.build/guides/i18n/). */
function* liveAddresses({ repository, directory, pages }: PublishedFiles): Iterable<string> {
  const { locales, defaultLocale } = readAstroConfig(configFile(repository, directory), repository);
  const folders = (locales ?? []).filter((locale) => locale !== '' && locale !== defaultLocale);
  for (const address of pages.values()) {
    const [first = ''] = address.split('/', 1);
    const isDefault = defaultLocale === '' ? !folders.includes(first) : first === defaultLocale;
    const own = defaultLocale === '' ? address : address.slice(defaultLocale.length + 1);
    if (isDefault) for (const locale of folders) yield own === '' ? locale : `${locale}/${own}`;
  }
}

/** `autogenerate: { directory }` is a folder of pages, in any language. */
function folderChange(
  { repository, moved }: SpaceMove,
  { contentFolder, defaultLocale }: AstroConfig,
  directory: string,
): ScriptChange {
  for (const root of [contentFolder, defaultLocale === '' ? null : `${contentFolder}/${defaultLocale}`]) {
    if (root === null) continue;
    const path = `${root}/${directory.replace(/^\/|\/$/g, '')}`;
    const target = moved(path);
    if (target === path || !repository.index.isFolder(path) || !isInside(target, moved(root))) continue;
    const inside = pathInside(target, moved(root));
    const to = directory.replace(/[^/](?:.*[^/])?/, () => inside);
    return to === directory ? null : { to };
  }
  return null;
}

/**
 * https://docs.astro.build/en/reference/configuration-reference/#redirects: the old address has no base, the new one
 * has.
 */
function redirects(space: PublishedFiles): RedirectTable | string {
  const { repository, directory } = space;
  const file = configFile(repository, directory);
  const text = repository.text(file);
  const settings = text === null ? null : settingsGroup(text);
  const config = readAstroConfig(file, repository);
  const written = (plain: string) =>
    plain === '' ? '/' : config.trailingSlash === 'always' ? `/${plain}/` : `/${plain}`;
  const withBase = (plain: string) =>
    config.basePath ? `/${config.basePath}${written(plain)}` : written(plain);
  if (config.basePath === null || config.trailingSlash === null)
    return `the addresses of pages on their host are known only by running ${file}`;
  const onHost = hostRedirectTable(space, `${config.publicFolder}/_redirects`, withBase);
  if (onHost !== null) return onHost;
  if (text === null || settings === null) return `${file} cannot be edited safely`;
  const table = groupOfKey(text, settings, 'redirects', '{');
  if (table === null && settings.keys.includes('redirects'))
    return `the redirects of ${file} are computed by code`;
  return {
    file,
    entries: table === null ? [] : entriesOf(text, table, config),
    write: ({ from, to }) => [written(from), withBase(to)],
    insert(entries) {
      const lines = entries.map(([from, to]) => `${quoteLike(text, from)}: ${quoteLike(text, to)}`);
      if (table !== null) return addScriptEntries(text, table, lines);
      const indent = /\n([ \t]*)[^\s/]/.exec(text.slice(settings.start, settings.end))?.[1] ?? '  ';
      const inner = lines.map((line) => `\n${indent}${indent}${line},`).join('');
      return {
        start: settings.start,
        end: settings.start,
        text: `\n${indent}redirects: {${inner}\n${indent}},`,
      };
    },
    replaceValue: ({ value }, to) => ({ ...value, text: to }),
  };
}

function entriesOf(text: string, table: NonNullable<ReturnType<typeof settingsGroup>>, config: AstroConfig) {
  const literals = literalsOf(text, table);
  return literals.flatMap((key, at) => {
    const value = literals[at + 1];
    if (!key.isKey || value === undefined || value.isKey || !value.isPlain) return [];
    return [
      {
        from: trimSlashes(key.value),
        to: value.value.startsWith('/') ? withoutBase(value.value.replace(/[?#].*$/, ''), config) : null,
        value: { start: value.start, end: value.end },
        whole: scriptEntryLines(text, key.start - 1, value.end + 1),
      },
    ];
  });
}

function withoutBase(address: string, { basePath }: AstroConfig): string {
  const plain = trimSlashes(address);
  if (!address.startsWith('/') || !basePath) return plain;
  return plain === basePath
    ? ''
    : plain.startsWith(`${basePath}/`)
      ? plain.slice(basePath.length + 1)
      : plain;
}

function configFile({ index }: RepositoryFiles, directory: RepoPath): RepoPath {
  const paths = ASTRO_CONFIG_NAMES.map((name) => (directory === '' ? name : `${directory}/${name}`));
  return paths.find((path) => index.entry(path) !== undefined) ?? paths[0] ?? '';
}
