import { readingOfMarkdown } from '../../facts/index.ts';
import type { FilesRead, Format, OpenSpace, SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { pageFilesOf, pagesFromFolders } from '../../pages/index.ts';
import { isExampleFolder, isInside, isPageFile, isSourceOfSpace, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { withHostAnchors } from '../host-anchors.ts';
import { IncludingPages } from '../including-pages.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { readHostRedirects, readRedirects, redirectFiles } from '../read-redirects.ts';
import { redirectSettings } from '../redirect-rules.ts';
import { scriptsBehind } from '../script-config/script-files.ts';
import { scriptGenerator } from '../script-config/script-generator.ts';
import { unreadSidebar } from '../script-config/unread-sidebar.ts';
import { compileRewrites } from './compile-rewrites.ts';
import { type GeneratedPages, readGeneratedPages } from './generated-pages.ts';
import { SNIPPET } from './include-directives.ts';
import { PageAnchorsOf } from './vitepress-anchors.ts';
import { vitepressConfigReading, vitepressModuleReading } from './vitepress-config-links.ts';
import { vitepressConfigRules } from './vitepress-config-rules.ts';
import type { VitepressPages } from './vitepress-context.ts';
import { vitepressPages } from './vitepress-pages.ts';
import { vitepressReading } from './vitepress-reading.ts';
import { vitepressRules } from './vitepress-rules.ts';
import { findVitepressSites, includePath, type VitepressSite } from './vitepress-site.ts';

/**
 * VitePress: a folder with `.vitepress/config` is a site, and every Markdown file of its source folder that is not excluded
 * is a page. Links are routes with `.md`, `.html` or no extension.
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

/** A site without configuration, for a folder that was configured to be one. */
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
    allowsDeadLinks: false,
    sidebarBases: [],
    sidebars: () => ({ sidebars: [], isPartial: false }),
    isSure: true,
    hasOwnSlugs: false,
    slugsFragments: true,
  };
}

function openSite(space: SpaceInput, site: VitepressSite): OpenSpace {
  const isInSite = (path: RepoPath) => site.source === '' || isInside(path, site.source);
  const modules = new Set(scriptsBehind(space, site.config));
  const redirects = redirectFiles(site.publicFolder, site.directory);
  const isRedirected = readRedirects(space, redirects);
  const isPage = (path: RepoPath) => isPageOf(site, path);
  const generated = readGeneratedPages(space, space.entries, isPage);
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
    get notices() {
      return site.sidebars().isPartial ? [unreadSidebar(site.config)] : [];
    },
    generator: (index) =>
      scriptGenerator(space, index, site.config, (path) => /\.paths\.[cm]?[jt]s$/.test(path)),
    settings: () => redirectSettings(readHostRedirects(space, redirects), site.base ?? '/'),
    // The rules read pages through tables, which record their dependencies.
    shapedBy: () => null,
    publish: (files) =>
      publishSite(space, files, {
        site,
        generated,
        isRedirected,
        pages: { has: (path) => isPage(path) && space.has(path) },
      }),
  };
}

/** What is known of a site's files before any of them is read. */
type SiteFiles = Pick<VitepressPages, 'site' | 'pages' | 'isRedirected'> & {
  readonly generated: readonly GeneratedPages[];
};

function isPageOf(site: VitepressSite, path: RepoPath): boolean {
  return (
    /\.md$/.test(path) &&
    (site.source === '' || isInside(path, site.source)) &&
    !isInside(path, site.publicFolder) &&
    !site.isExcluded(pathInside(path, site.source))
  );
}

function publishSite(
  space: SpaceInput,
  files: FilesRead,
  { site, pages, generated, isRedirected }: SiteFiles,
) {
  const isInSite = (path: RepoPath) => site.source === '' || isInside(path, site.source);
  const including = new IncludingPages(files, 'vitepress', (file, { target, text }) =>
    text === SNIPPET ? null : includePath(site, file, target),
  );
  const known: VitepressPages = {
    site,
    pages,
    ...rewritesOf(files, pages, site),
    dynamicPages: generated.flatMap(({ page, paths }) => (paths === null ? [page] : [])),
    generatedFrom: new Map(
      generated.flatMap(({ page, paths }) => (paths ?? []).map((path) => [path, page] as const)),
    ),
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
      const addressOf = (path: RepoPath) => {
        const rewritten = known.rewrittenTo(pathInside(path, site.source));
        return rewritten?.replace(/(?:(?:^|\/)index)?\.md$/, '') ?? null;
      };
      return vitepressPages(known, pagesFromFolders([...own.values()], site.source, { addressOf }));
    },
    get assets() {
      return space.entries
        .filter(({ path }) => isInSite(path) && !isPageFile(path))
        .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
    },
    rulesOf(file: RepoPath) {
      if (!isPageFile(file)) return config;
      const includer = including.firstOf(file, (path) => (pages.has(path) ? path : null));
      // A part that is a page as well is shown twice; its links are checked for the page that includes it.
      if (includer !== null) return vitepressRules(known, { kind: 'part', of: includer });
      if (pages.has(file)) return rules;
      return isInSite(file) && !/(?:^|\/)README\.md$/i.test(file) ? loose : outside;
    },
    changesSince: () => [],
  };
}

/** Looks up the configuration's rewrites in both directions. */
function rewritesOf(
  files: FilesRead,
  pages: VitepressPages['pages'],
  site: VitepressSite,
): Pick<VitepressPages, 'rewrittenTo' | 'rewrittenFrom'> {
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
    rewrittenTo: (path) => (pages.has(joinPath(source, path)) ? rewritten(path) : null),
    rewrittenFrom: (path) => moved.rows(path).at(-1)?.value ?? null,
  };
}
