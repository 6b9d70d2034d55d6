import type {
  ConfigurationChange,
  FormatMoves,
  PublishedFiles,
  RedirectTable,
  SpaceMove,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside, trimSlashes } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { hostRedirectTable } from '../host-redirect-table.ts';
import { findScriptLiterals } from '../script-config/script-literals.ts';
import { changeScripts, type ScriptChange, scriptsFrom } from '../script-config/script-moves.ts';
import { addScriptEntries, quoteLike, scriptEntryLines } from '../script-config/script-redirects.ts';
import { textAt } from '../script-config/script-value.ts';
import { type ContentRoot, contentRoots, publishedPages, withoutNumber } from './docusaurus-pages.ts';
import { type DocusaurusSite, findDocusaurusSites } from './docusaurus-site.ts';

/** Updates a Docusaurus site's sidebars, navigation bar, paths and redirects. */
export const docusaurusMoves: FormatMoves = { configure, addresses, redirects };

/** Keys in sidebars whose values are not documents (https://docusaurus.io/docs/sidebar/items). */
const TEXT_KEYS = /^(?:label|type|title|description|slug|className|value|keywords|image|html|key)$/;

function configure(move: SpaceMove): ConfigurationChange {
  const site = siteAt(move);
  if (site === null) return { edits: [], notices: [] };
  const roots = contentRoots(site, move.repository);
  const routes = new Map([...move.addresses.values()].map(({ before, after }) => [before, after]));
  const changes = [...sidebarFiles(move, site, roots)].map(([file, root]) =>
    changeScripts(move, [file], ({ value, key, isKey }) => {
      if (isKey || (key !== null && TEXT_KEYS.test(key))) return null;
      if (key === 'dirName') return folderChange(move, root, value);
      if (key === 'to' || key === 'href') return routeChange(routes, value);
      return idChange(move, root, value);
    }),
  );
  const sidebars = new Set(sidebarFiles(move, site, roots).keys());
  const scripts = scriptsFrom(move, [site.config]).filter((file) => !sidebars.has(file));
  const docs = roots.find(
    ({ plugin, locale }) => plugin.kind === 'docs' && plugin.id === 'default' && locale === null,
  );
  changes.push(
    changeScripts(move, scripts, ({ value, key, isKey }) => {
      if (isKey || key === null) return null;
      if (key === 'docId') return docs === undefined ? null : idChange(move, docs, value);
      if (/^(?:to|href|slug)$/.test(key)) return routeChange(routes, value);
      return null;
    }),
  );
  return {
    edits: changes.flatMap((change) => change.edits),
    notices: changes.flatMap((change) => change.notices),
  };
}

/** Finds the files of sidebars and the scripts that they import; each maps to the version whose documents it lists. */
function sidebarFiles({ repository }: SpaceMove, site: DocusaurusSite, roots: readonly ContentRoot[]) {
  const files = new Map<RepoPath, ContentRoot>();
  for (const root of roots) {
    if (root.plugin.kind !== 'docs' || root.locale !== null) continue;
    const version = /(?:^|\/)((?:.+_)?)versioned_docs\/(version-[^/]+)$/.exec(
      root.folder.slice(site.folder.length),
    );
    const sidebarPath = textAt(root.plugin.options, 'sidebarPath');
    const names =
      version !== null
        ? [`${version[1] ?? ''}versioned_sidebars/${version[2]}-sidebars.json`]
        : [sidebarPath ?? '', 'sidebars.js', 'sidebars.ts', 'sidebars.json', 'sidebars.mjs', 'sidebars.cjs'];
    const paths = names.filter(Boolean).map((name) => joinPath(site.folder, name.replace(/^\.?\//, '')));
    const file = paths.find((path) => repository.index.entry(path) !== undefined);
    if (file === undefined) continue;
    for (const candidate of scriptsFrom({ repository }, [file]))
      if (!files.has(candidate)) files.set(candidate, root);
  }
  return files;
}

/** The ids of documents before the move → their files, one map for each folder of docs. */
const ids = new WeakMap<SpaceMove, Map<RepoPath, ReadonlyMap<string, RepoPath>>>();

function idChange(move: SpaceMove, root: ContentRoot, value: string): ScriptChange {
  const known = ids.get(move) ?? new Map<RepoPath, ReadonlyMap<string, RepoPath>>();
  ids.set(move, known);
  let files = known.get(root.folder);
  if (files === undefined) {
    const docs = move.repository.tree.filter(
      ({ path }) => /\.mdx?$/.test(path) && isInside(path, root.folder),
    );
    files = new Map(
      docs.map(({ path }) => [idOf(root, pathInside(path, root.folder), move.frontMatter(path)['id']), path]),
    );
    known.set(root.folder, files);
  }
  const file = files.get(value);
  if (file === undefined || move.moved(file) === file) return null;
  const target = move.moved(file);
  const folder = move.moved(root.folder);
  if (!isInside(target, folder))
    return { notice: `${value} leaves ${root.folder}. Remove it from the sidebar` };
  const id = idOf(root, pathInside(target, folder), move.frontMatter(file)['id']);
  return id === value ? null : { to: id };
}

/** https://docusaurus.io/docs/create-doc#doc-frontmatter: folders without numbers, and the id or the file's name. */
function idOf({ plugin }: ContentRoot, inside: string, explicitId: unknown): string {
  const keepsNumbers = plugin.options !== undefined && textAt(plugin.options, 'numberPrefixParser') === null;
  const strip = (name: string) => (keepsNumbers ? name : withoutNumber(name));
  const name = inside.slice(inside.lastIndexOf('/') + 1).replace(/\.mdx?$/, '');
  const own = typeof explicitId === 'string' && explicitId !== '' ? explicitId : strip(name);
  return [...folderOf(inside).split('/').filter(Boolean).map(strip), own].join('/');
}

function folderChange(move: SpaceMove, root: ContentRoot, value: string): ScriptChange {
  const path = value === '.' ? root.folder : joinPath(root.folder, value.replace(/^\.?\/|\/$/g, ''));
  const [target, folder] = [move.moved(path), move.moved(root.folder)];
  if (target === path || !isInside(target, folder)) return null;
  const to = pathInside(target, folder);
  return to === value ? null : { to };
}

function routeChange(routes: ReadonlyMap<string, string | null>, value: string): ScriptChange {
  const [, route = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(value) ?? [];
  if (route === '' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(route)) return null;
  const plain = route.replace(/^\/|\/$/g, '');
  const after = routes.get(plain);
  if (after === undefined || after === null || after === plain) return null;
  const slash = route.endsWith('/') && after !== '' ? '/' : '';
  return { to: (route.startsWith('/') ? '/' : '') + after + slash + tail };
}

function addresses(space: PublishedFiles): ReadonlyMap<RepoPath, string> {
  const site = siteAt(space);
  if (site === null) return new Map();
  const { repository } = space;
  const roots = contentRoots(site, repository).filter(({ locale }) => locale === null);
  const pages = publishedPages(roots, repository.tree, (path) =>
    /\.mdx?$/.test(path) ? { frontMatter: space.frontMatter(path) } : undefined,
  );
  return new Map(pages.map(({ file, route }) => [file, route.replace(/^\/|\/$/g, '')]));
}

/**
 * https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-client-redirects. Its addresses are written without the
 * site's base.
 */
function redirects(space: PublishedFiles): RedirectTable | string {
  const site = siteAt(space);
  if (site === null) return 'the site has no configuration';
  const { base, trailingSlash } = site;
  if (base === null || trailingSlash === null)
    return `the addresses of pages on their host are known only by running ${site.config}`;
  const slash = trailingSlash === true ? '/' : '';
  const written = (plain: string) => (plain === '' ? '/' : `/${plain}${slash}`);
  for (const folder of [...site.staticFolders, site.folder]) {
    const table = hostRedirectTable(
      space,
      joinPath(folder, '_redirects'),
      (plain) => base.slice(0, -1) + written(plain),
    );
    if (table !== null) return table;
  }
  const text = space.repository.text(site.config) ?? '';
  const { literals, groups, isWhole } = findScriptLiterals(text);
  const plugin = literals.find((literal) => /(?:^|plugin-)client-redirects$/.test(literal.value));
  if (plugin === undefined) return `${site.config} does not use the plugin “client-redirects”`;
  const list = groups.find(
    (group) =>
      group.bracket === '[' &&
      group.key === 'redirects' &&
      plugin.group !== null &&
      group.start > plugin.group.start &&
      group.end < plugin.group.end,
  );
  if (!isWhole || plugin.group?.bracket !== '[' || list === undefined)
    return `the redirects of ${site.config} are not listed where they can be edited`;
  const entries = groups.filter((group) => group.bracket === '{' && group.parent === list);
  return {
    file: site.config,
    entries: entries.flatMap((group) => {
      const own = literals.filter(
        (literal) => !literal.isKey && (literal.group === group || literal.group?.parent === group),
      );
      const to = own.find((candidate) => candidate.key === 'to');
      const whole =
        own.filter((candidate) => candidate.key === 'from').length === 1
          ? scriptEntryLines(text, group.start - 1, group.end + 1)
          : null;
      if (to === undefined || !to.isPlain) return [];
      return own
        .filter((candidate) => candidate.key === 'from')
        .map((from) => ({
          from: trimSlashes(from.value),
          to: to.value.startsWith('/') ? trimSlashes(to.value.replace(/[?#].*$/, '')) : null,
          value: { start: to.start, end: to.end },
          whole,
        }));
    }),
    write: ({ from, to }) => [written(from), written(to)],
    insert: (added) =>
      addScriptEntries(
        text,
        list,
        added.map(([from, to]) => `{ from: ${quoteLike(text, from)}, to: ${quoteLike(text, to)} }`),
      ),
    replaceValue: ({ value }, to) => ({ ...value, text: to }),
  };
}

function siteAt({
  repository,
  directory,
}: Pick<PublishedFiles, 'repository' | 'directory'>): DocusaurusSite | null {
  const sites = findDocusaurusSites(repository);
  return (
    sites.find((site) => site.directory === directory) ??
    sites.find((site) => site.folder === directory) ??
    null
  );
}
