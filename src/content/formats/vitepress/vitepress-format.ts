import { readingOfMarkdown } from '../../facts/index.ts';
import type { FilesRead, Format, OpenSpace, SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { pageFilesOf, pagesFromFolders } from '../../pages/index.ts';
import { isExampleFolder, isInside, isPageFile, isSourceOfSpace, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { withHostAnchors } from '../host-anchors.ts';
import { IncludingPages } from '../including-pages.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { readRedirects } from '../read-redirects.ts';
import { scriptsBehind } from '../script-config/script-files.ts';
import { compileRewrites } from './compile-rewrites.ts';
import { type GeneratedPages, readGeneratedPages } from './generated-pages.ts';
import { SNIPPET } from './include-directives.ts';
import { PageAnchorsOf } from './vitepress-anchors.ts';
import { vitepressConfigReading, vitepressModuleReading } from './vitepress-config-links.ts';
import { vitepressConfigRules } from './vitepress-config-rules.ts';
import type { VitepressPages } from './vitepress-context.ts';
import { vitepressReading } from './vitepress-reading.ts';
import { vitepressRules } from './vitepress-rules.ts';
import { findVitepressSites, includePath, type VitepressSite } from './vitepress-site.ts';

/**
 * VitePress: a folder with `.vitepress/config` is a site, and every Markdown file of its source folder that is not excluded
 * a page. Links are routes, with `.md`, `.html` or nothing at the end.
 */
export const vitepressFormat: Format = {
  detect: (repository) =>
    findVitepressSites(repository).map(({ directory, title }) => ({ directory, title })),
  open(space) {
    const sites = findVitepressSites(space);
    const inside = sites.filter(
      ({ directory }) => isInside(directory, space.directory) && !isExampleFolder(directory),
    );
    const only = inside.length === 1 ? inside[0] : undefined;
    const site = sites.find((candidate) => candidate.directory === space.directory) ?? only;
    return openSite(space, site ?? bareSite(space.directory));
  },
};

/** A folder that is said to be a site and has no configuration. */
function bareSite(directory: RepoPath): VitepressSite {
  return {
    config: joinPath(directory, '.vitepress/config.ts'),
    directory,
    title: null,
    source: directory,
    publicFolder: joinPath(directory, 'public'),
    knowsPublicFolder: true,
    base: '/',
    isExcluded: (path) => /(?:^|\/)node_modules\//.test(path),
    rewrites: compileRewrites(undefined),
    ignoresDeadLink: () => false,
    sidebarBases: [],
    isSure: true,
    hasOwnSlugs: false,
  };
}

function openSite(space: SpaceInput, site: VitepressSite): OpenSpace {
  const isInSite = (path: RepoPath) => site.source === '' || isInside(path, site.source);
  const modules = new Set(scriptsBehind(space, site.config));
  const isRedirected = readRedirects(space, redirectFiles(site));
  const isPage = (path: RepoPath) => isPageOf(site, path);
  const made = readGeneratedPages(space, space.entries, isPage);
  return {
    sources: [
      ...space.entries.filter(isSourceOfSpace),
      ...[site.config, ...modules].flatMap((path) => space.index.entry(path) ?? []),
    ],
    readingOf: (path) => {
      if (path === site.config) return vitepressConfigReading;
      if (modules.has(path)) return vitepressModuleReading;
      if (!isPageFile(path)) return null;
      return isInSite(path) ? vitepressReading : readingOfMarkdown(path);
    },
    problems: [],
    // Tables know what rules are made from.
    shapedBy: () => null,
    publish: (files) =>
      publishSite(space, files, {
        site,
        made,
        isRedirected,
        pages: { has: (path) => isPage(path) && space.has(path) },
      }),
  };
}

/** What a site's files are before any of them is read. */
type SiteFiles = Pick<VitepressPages, 'site' | 'pages' | 'isRedirected'> & {
  readonly made: readonly GeneratedPages[];
};

function isPageOf(site: VitepressSite, path: RepoPath): boolean {
  return (
    /\.md$/.test(path) &&
    (site.source === '' || isInside(path, site.source)) &&
    !isInside(path, site.publicFolder) &&
    !site.isExcluded(pathInside(path, site.source))
  );
}

function publishSite(space: SpaceInput, files: FilesRead, { site, pages, made, isRedirected }: SiteFiles) {
  const isInSite = (path: RepoPath) => site.source === '' || isInside(path, site.source);
  const takers = new IncludingPages(files, 'vitepress', (file, { target, text }) =>
    text === SNIPPET ? null : includePath(site, file, target),
  );
  const known: VitepressPages = {
    site,
    pages,
    ...rewritesOf(files, pages, site),
    dynamicPages: made.flatMap(({ page, paths }) => (paths === null ? [page] : [])),
    madeFrom: new Map(made.flatMap(({ page, paths }) => (paths ?? []).map((path) => [path, page] as const))),
    repository: space.repository,
    anchors: new PageAnchorsOf(site, files),
    isRedirected,
  };
  const rules = vitepressRules(known);
  const config = vitepressConfigRules(known);
  const loose = vitepressRules(known, { kind: 'loose' });
  const outside = withHostAnchors(leftOutRules(space), isInSite);
  return {
    get pages() {
      const own = pageFilesOf(space.entries, files, (path) => pages.has(path));
      return pagesFromFolders([...own.values()], site.source);
    },
    get assets() {
      return space.entries
        .filter(({ path }) => isInSite(path) && !isPageFile(path))
        .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
    },
    rulesOf(file: RepoPath) {
      if (!isPageFile(file)) return config;
      const taker = takers.firstOf(file, (path) => (pages.has(path) ? path : null));
      // A part that is a page as well is shown in two places; the page that it was written for counts.
      if (taker !== null) return vitepressRules(known, { kind: 'part', of: taker });
      if (pages.has(file)) return rules;
      return isInSite(file) && !/(?:^|\/)README\.md$/i.test(file) ? loose : outside;
    },
    changesSince: () => [],
  };
}

/** Files of the common hosts that say where old addresses lead. */
function redirectFiles({ publicFolder, directory }: VitepressSite): readonly RepoPath[] {
  const hosts = ['netlify.toml', 'vercel.json', '_redirects'];
  return [
    joinPath(publicFolder, '_redirects'),
    ...new Set(['', directory].flatMap((candidate) => hosts.map((name) => joinPath(candidate, name)))),
  ];
}

/** Where the configuration's rewrites put the pages. */
function rewritesOf(
  files: FilesRead,
  pages: VitepressPages['pages'],
  site: VitepressSite,
): Pick<VitepressPages, 'movedTo' | 'movedFrom'> {
  const {
    source,
    rewrites: { apply },
  } = site;
  const rewritten = (path: string) => {
    const to = apply(path);
    return to === path ? null : to;
  };
  const moved = files.table<string>('vitepress rewrites', ({ path: file }) => {
    const path = isPageOf(site, file) ? pathInside(file, source) : null;
    const to = path === null ? null : rewritten(path);
    return path === null || to === null ? [] : [[to, path]];
  });
  return {
    movedTo: (path) => (pages.has(joinPath(source, path)) ? rewritten(path) : null),
    movedFrom: (path) => moved.rows(path).at(-1)?.value ?? null,
  };
}
