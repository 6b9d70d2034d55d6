import { readingOfMarkdown } from '../../facts/index.ts';
import type { Format, SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { pageFilesOf } from '../../pages/index.ts';
import {
  folderOf,
  isExampleFolder,
  isInside,
  isPageFile,
  isSourceOfSpace,
  pathInside,
  withoutInstalled,
} from '../../tree/index.ts';
import { withHostAnchors } from '../host-anchors.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { readHostRedirects, readRedirects, redirectFiles } from '../read-redirects.ts';
import { redirectSettings } from '../redirect-rules.ts';
import { scriptGenerator } from '../script-config/script-generator.ts';
import { unreadSidebar } from '../script-config/unread-sidebar.ts';
import { astroRoutes, isAstroPage, isDocsPage } from './astro-routes.ts';
import { checkStarlightAnchor } from './starlight-anchors.ts';
import {
  ASTRO_CONFIG_NAMES,
  type AstroConfig,
  isStarlightSite,
  readAstroConfig,
  sidebarModules,
} from './starlight-config.ts';
import { starlightConfigReading, starlightModuleReading } from './starlight-config-links.ts';
import { isOfPackage } from './starlight-files.ts';
import { starlightPages } from './starlight-pages.ts';
import { starlightReading } from './starlight-reading.ts';
import { starlightRules } from './starlight-rules.ts';

/** Starlight sites: `astro.config.*` with the integration, and pages in `src/content/docs`. */
export const starlightFormat: Format = {
  detect: (repository) =>
    withoutInstalled(ASTRO_CONFIG_NAMES.flatMap((name) => repository.index.named(name)))
      .filter((file) => isStarlightSite(file, repository))
      .map((file) => ({ directory: folderOf(file), title: readAstroConfig(file, repository).title })),
  open(space) {
    const config = readAstroConfig(configFile(space), space);
    const modules = new Set(sidebarModules(space, config.file));
    const isOwn = (path: RepoPath) =>
      isDocsPage(path, config) ||
      (/\.mdx?$/.test(path) && (isAstroPage(path, config) || path.startsWith(`${config.sourceFolder}/`)));
    const isCheckedAsSite = (file: RepoPath) =>
      isDocsPage(file, config) || isAstroPage(file, config) || file === config.file || modules.has(file);
    const redirects = redirectFiles(config.publicFolder, config.root);
    const isRedirected = readRedirects(space, redirects);
    return {
      sources: [
        ...space.entries.filter(
          (entry) => (isDocsPage(entry.path, config) && entry.mode !== 'symlink') || isSourceOfSpace(entry),
        ),
        ...[config.file, ...modules].flatMap((path) => space.index.entry(path) ?? []),
      ],
      readingOf(path) {
        if (path === config.file) return starlightConfigReading;
        if (modules.has(path)) return starlightModuleReading;
        if (isOwn(path)) return starlightReading(path);
        return isPageFile(path) ? readingOfMarkdown(path) : null;
      },
      problems: [],
      get notices() {
        return config.hasSidebar && config.sidebar() === null ? [unreadSidebar(config.file)] : [];
      },
      generator: (index) => scriptGenerator(space, index, config.file, (path) => isRoute(path, config)),
      settings: () => ({
        ...redirectSettings(
          [
            ...[...config.redirects].flatMap(([from, to]) => (to === null ? [] : [{ from, to }])),
            ...readHostRedirects(space, redirects),
          ],
          config.basePath ? `/${config.basePath}/` : '/',
        ),
        languages: config.languages,
      }),
      // The rules read pages through tables, which record their dependencies.
      shapedBy: () => null,
      publish(files) {
        const routes = astroRoutes(config, files);
        const rules = starlightRules({
          space,
          config,
          routes,
          isRedirected,
          checkAnchor: (query) => checkStarlightAnchor(query, files, { config, routes }),
        });
        const unpublished = withHostAnchors(leftOutRules(space), isOwn);
        return {
          get pages() {
            const isPage = (path: RepoPath) => routes.addressOf(path) !== null;
            return starlightPages(pageFilesOf(space.entries, files, isPage), routes, config);
          },
          get assets() {
            return space.entries
              .filter(({ path }) => path.startsWith(`${config.publicFolder}/`))
              .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
          },
          skips: (_file, reference) => isOfPackage(reference, config),
          rulesOf: (file) => (isCheckedAsSite(file) ? rules : unpublished),
          changesSince: () => [],
        };
      },
    };
  },
};

/** Whether a file defines pages or collections of them, besides the pages themselves. */
function isRoute(path: RepoPath, { sourceFolder }: AstroConfig): boolean {
  const name = isInside(path, sourceFolder) ? pathInside(path, sourceFolder) : '';
  return /^(?:pages\/.*\.(?:astro|[cm]?[jt]s)|content\.config\.\w+|content\/config\.\w+)$/.test(name);
}

function configFile(space: SpaceInput): RepoPath {
  const { directory, index } = space;
  const paths = ASTRO_CONFIG_NAMES.map((name) => (directory === '' ? name : `${directory}/${name}`));
  const own = paths.find((path) => index.entry(path) !== undefined);
  if (own !== undefined) return own;
  const inside = ASTRO_CONFIG_NAMES.flatMap((name) => index.named(name)).filter(
    (path) => isInside(path, directory) && !isExampleFolder(folderOf(path)) && isStarlightSite(path, space),
  );
  return inside.length === 1 ? (inside[0] ?? '') : (paths[0] ?? '');
}
