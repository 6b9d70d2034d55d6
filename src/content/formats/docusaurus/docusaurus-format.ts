import { readingOfMarkdown } from '../../facts/index.ts';
import {
  type FilesRead,
  type Format,
  generatedVerdict,
  type LinkRules,
  linkVerdict,
  type OpenSpace,
  type SpaceInput,
} from '../../format-port/index.ts';
import type { Reference, RepoPath, TreeEntry } from '../../model/index.ts';
import { pageFilesOf, pagesFromFolders } from '../../pages/index.ts';
import { isInside, isLeftOut, isPageFile, pathInside, resolvePath, trimSlashes } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { withHostAnchors } from '../host-anchors.ts';
import { IncludedPages } from '../included-pages.ts';
import { IncludingPages } from '../including-pages.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { readHostRedirects, readRedirects } from '../read-redirects.ts';
import { redirectSettings } from '../redirect-rules.ts';
import { scriptGenerator } from '../script-config/script-generator.ts';
import { packageAround, withFilesOf } from './built-elsewhere.ts';
import { DocIds } from './doc-ids.ts';
import { sidebarsReading, siteConfigReading } from './docusaurus-config-links.ts';
import { sidebarFiles, siteConfigRules, withPagination } from './docusaurus-config-rules.ts';
import type { DocusaurusPages } from './docusaurus-context.ts';
import { docusaurusNavigation, type NavigationFiles, readNavigationFiles } from './docusaurus-navigation.ts';
import { type ContentRoot, contentRoots, generatedRoutes, linkedRoots } from './docusaurus-pages.ts';
import {
  markdownPageReading,
  markdownReadingWithCase,
  mdxReading,
  mdxReadingWithCase,
} from './docusaurus-reading.ts';
import { docusaurusRules } from './docusaurus-rules.ts';
import { type DocusaurusSite, findDocusaurusSites, pathBelow } from './docusaurus-site.ts';
import { withNextVersion } from './next-version.ts';
import { PageTable } from './page-table.ts';
import { SiteRoutes } from './site-routes.ts';

/**
 * Docusaurus: a folder with a `docusaurus.config` is a site, whose plugins publish docs, versions and translations of
 * them, blog posts and pages. The space is the folder that contains the site and all of its content.
 */
export const docusaurusFormat: Format = {
  detect: (repository) =>
    findDocusaurusSites(repository).map(({ directory, title }) => ({ directory, title })),
  open(space) {
    const sites = findDocusaurusSites(space);
    const site =
      sites.find((candidate) => candidate.directory === space.directory) ??
      sites.find((candidate) => candidate.folder === space.directory);
    return openSite(space, site ?? bareSite(space.directory));
  },
};

/** A site without configuration, for a folder that was configured to be one: its docs are in `docs`. */
function bareSite(folder: RepoPath): DocusaurusSite {
  const docs = {
    kind: 'docs',
    id: 'default',
    folder: joinPath(folder, 'docs'),
    route: 'docs',
    include: ['**/*.{md,mdx}'],
    exclude: ['**/_*'],
  } as const;
  return {
    config: joinPath(folder, 'docusaurus.config.js'),
    folder,
    directory: folder,
    title: null,
    base: '/',
    trailingSlash: undefined,
    staticFolders: [joinPath(folder, 'static')],
    knowsStaticFolders: true,
    locales: [],
    defaultLocale: 'en',
    contents: [{ ...docs, options: undefined }],
    redirects: new Map(),
    readsMarkdownAsMdx: true,
    preservesCase: false,
    changesHeadings: false,
    isSure: false,
    pluginRoutes: [],
    pageGenerator: null,
    rewritesLinks: null,
    navbar: [],
  };
}

function isText(path: RepoPath): boolean {
  return isPageFile(path) || /\.mdx$/i.test(path);
}

function openSite(space: SpaceInput, site: DocusaurusSite): OpenSpace {
  const roots = contentRoots(site, space);
  const generated = generatedRoutes(site, roots, space);
  const redirectFiles = [...site.staticFolders, site.folder].map((folder) => joinPath(folder, '_redirects'));
  const isRedirected = readRedirects(space, redirectFiles);
  const builtIn = packageAround(site.folder, space.index);
  const isOfSite = (path: RepoPath) =>
    (site.folder !== '' && isInside(path, site.folder)) || roots.some((root) => isInside(path, root.folder));
  const isSource = ({ path, mode }: TreeEntry) =>
    mode !== 'symlink' &&
    mode !== 'submodule' &&
    isText(path) &&
    !isLeftOut(pathInside(path, space.directory));
  const sidebars = sidebarFiles(site, roots, space);
  const navigation = readNavigationFiles(space, site, roots, sidebars);
  const isSetting = (path: RepoPath) => path === site.config || sidebars.has(path);
  return {
    sources: space.entries.filter(
      (entry) => isSource(entry) || (entry.mode !== 'symlink' && isSetting(entry.path)),
    ),
    readingOf: (path) => {
      if (sidebars.has(path)) return sidebarsReading;
      if (path === site.config) return siteConfigReading;
      if (!isText(path)) return null;
      const isMdx = /\.mdx$/i.test(path);
      if (!isMdx && !isOfSite(path)) return readingOfMarkdown(path);
      if (isMdx || site.readsMarkdownAsMdx)
        return site.preservesCase === true ? mdxReadingWithCase : mdxReading;
      return site.preservesCase === true ? markdownReadingWithCase : markdownPageReading;
    },
    problems: [],
    notices: navigation.notices,
    generator: (index) => scriptGenerator(space, index, site.config, () => false),
    settings: () =>
      redirectSettings(
        [
          ...[...site.redirects].flatMap(([from, to]) => (to === null ? [] : [{ from, to }])),
          ...readHostRedirects(space, redirectFiles),
        ],
        site.base ?? '/',
      ),
    // The rules read pages through tables, which record their dependencies.
    shapedBy: () => null,
    publish: (files) =>
      publishSite(space, files, site, { roots, generated, isRedirected, sidebars, navigation, builtIn }),
  };
}

/** Whether a file is of a version of the docs, which the site may leave out. */
function isOldVersion(path: RepoPath): boolean {
  return /(?:^|\/)(?:\w+_)?versioned_docs\//.test(path);
}

/** Whether a file is a translation that the builder reads, of a language that the site may leave out. */
function isTranslation(path: RepoPath): boolean {
  return /(?:^|\/)i18n\/[^/]+\/docusaurus-(?:plugin|theme)-/.test(path);
}

/** The folder of content that a file is in, if it is of an old version or a translation. */
const CONTENT_FOLDER =
  /^(?:.*\/)?(?:(?:\w+_)?versioned_docs\/version-[^/]+|i18n\/[^/]+\/docusaurus-plugin-content-(?:docs[\w-]*\/[^/]+|[\w-]+))(?=\/)/;

/**
 * The rules of files that the site does not publish, but may take into its pages, or published in an older version: paths
 * that only its builder reads, and headings of old versions, which parts of their pages may have, are not known.
 */
function leftOutOfSite(rules: LinkRules, hasFile: (path: RepoPath) => boolean): LinkRules {
  // https://docusaurus.io/docs/markdown-features/links: from the folder of the content, unless it says where it starts.
  const isFromContent = (file: RepoPath, written: string) => {
    const [folder] = CONTENT_FOLDER.exec(file) ?? [];
    if (folder === undefined || /^\.{1,2}\//.test(written)) return false;
    const found = resolvePath(joinPath(folder, 'x'), written);
    return found.inside && hasFile(found.path);
  };
  return {
    ...rules,
    resolve: (file, reference) =>
      reference.target.startsWith('@site/')
        ? linkVerdict(
            'unchecked',
            `${file} is not a page of the site, whose builder reads ${reference.target}.`,
          )
        : rules.resolve(file, reference),
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null || !(isOldVersion(file) || isTranslation(file))) return own;
      const [written = ''] = reference.target.split(/[?#]/, 1);
      const isFile = !written.startsWith('/') && /[^/.]\.[a-z]\w{0,9}$/i.test(written);
      if (isFile && !isFromContent(file, written)) return null;
      return generatedVerdict(
        `The site leaves ${file} out; where it is published, ${written} may be an address.`,
      );
    },
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      if (checked.status !== 'broken' || !(isOldVersion(query.page) || isTranslation(query.page)))
        return checked;
      const message = `The site leaves ${query.page} out; where it is published, it may have “${query.anchor}”.`;
      return { status: 'unchecked', message, knownNames: checked.names };
    },
  };
}

function publishSite(
  space: SpaceInput,
  files: FilesRead,
  site: DocusaurusSite,
  {
    roots,
    generated,
    isRedirected,
    sidebars,
    navigation,
    builtIn,
  }: {
    readonly roots: readonly ContentRoot[];
    readonly generated: ReadonlySet<string>;
    readonly isRedirected: (address: string) => boolean;
    readonly sidebars: ReadonlyMap<RepoPath, ContentRoot>;
    readonly navigation: NavigationFiles;
    /** The folder of the package into which the site is copied; null where it is beside its own. */
    readonly builtIn: RepoPath | null;
  },
) {
  const factsOf = (path: RepoPath) => (isText(path) ? files.facts(path) : undefined);
  const pageOf = new PageTable(files, roots, factsOf);
  const routes = new SiteRoutes({
    site,
    roots,
    linked: linkedRoots(site, space),
    pages: pageOf,
    generated,
    index: space.index,
    isRedirected,
  });
  const partOf = (file: RepoPath, { target }: Reference) => {
    if (target.startsWith('@site/')) return pathBelow(site.config, target.slice(6));
    const found = resolvePath(file, target);
    return found.inside ? found.path : null;
  };
  const parts = new IncludedPages(files, partOf);
  const including = new IncludingPages(files, 'docusaurus', partOf);
  const known: DocusaurusPages = {
    routes,
    pageOf,
    repository: space.repository,
    includedBy: (page, facts) => parts.factsIn(page, facts),
    hasFile: (path) => space.index.entry(path) !== undefined,
  };
  const adapted = (rules: LinkRules) =>
    builtIn === null ? rules : withFilesOf(builtIn, { folder: site.folder, index: space.index }, rules);
  const docIds = new DocIds(files, roots, factsOf);
  const docs = { site, docIds, sidebars, hasFile: known.hasFile };
  const rules = withPagination(docs, pageOf, adapted(docusaurusRules(known)));
  const configRules = adapted(siteConfigRules(docs, rules));
  const leftOut = leftOutRules(space, (path) => site.folder !== '' && isInside(path, site.folder));
  const outside = leftOutOfSite(
    withHostAnchors(withNextVersion(site, known, leftOut), (path) => pageOf.has(path)),
    known.hasFile,
  );
  return {
    get pages() {
      const isShown = (path: RepoPath) => isText(path) && pageOf.get(path)?.root.locale === null;
      const shown = pageFilesOf(space.entries, files, isShown);
      const usual = pagesFromFolders([...shown.values()], site.directory, {
        addressOf: (path) => trimSlashes(pageOf.get(path)?.route ?? path),
      });
      return docusaurusNavigation({ ...navigation, site, roots, docIds, pageOf, files: shown }, usual);
    },
    get assets() {
      return space.entries
        .filter(
          ({ path }) =>
            !isText(path) &&
            (routes.isStatic(path) || (routes.rootAt(path)?.plugin.kind ?? 'pages') !== 'pages'),
        )
        .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
    },
    rulesOf(file: RepoPath) {
      if (file === site.config || sidebars.has(file)) return configRules;
      if (pageOf.has(file)) return rules;
      const includer = including.firstOf(file, (path) => (pageOf.has(path) ? path : null));
      if (includer !== null) return adapted(docusaurusRules(known, includer));
      return routes.rootAt(file) === null ? outside : rules;
    },
    changesSince: () => [],
  };
}
