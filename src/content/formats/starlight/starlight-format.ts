import { readingOfMarkdown } from '../../facts/read-facts.ts';
import type { FileFacts, RepoPath } from '../../model.ts';
import { pageFilesOf } from '../../pages/page-entry.ts';
import { isPageFile, isSource } from '../../tree/page-files.ts';
import { folderOf, resolvePath } from '../../tree/relative-path.ts';
import { withoutInstalled } from '../example-folders.ts';
import type { FilesRead, Format, SpaceInput } from '../format.ts';
import { githubRules } from '../github/github-rules.ts';
import { withHostAnchors } from '../host-anchors.ts';
import type { AnchorQuestion, AnchorVerdict } from '../link-rules.ts';
import { astroRoutes, isAstroPage, isDocsPage } from './astro-routes.ts';
import { readHostRedirects } from './host-redirects.ts';
import {
  ASTRO_CONFIG_NAMES,
  type AstroConfig,
  isStarlightSite,
  readAstroConfig,
} from './read-astro-config.ts';
import { starlightPages } from './starlight-pages.ts';
import { starlightReading } from './starlight-reading.ts';
import { aliasedPath, starlightRules } from './starlight-rules.ts';

/** Sites of Astro's Starlight: `astro.config.*` that uses it, and pages in `src/content/docs`. */
export const starlightFormat: Format = {
  detect: (repository) =>
    withoutInstalled(ASTRO_CONFIG_NAMES.flatMap((name) => repository.index.named(name)))
      .filter((file) => isStarlightSite(file, repository))
      .map((file) => ({ directory: folderOf(file), title: readAstroConfig(file, repository).title })),
  open(space) {
    const config = readAstroConfig(configFile(space), space);
    const isOwn = (path: RepoPath) =>
      isDocsPage(path, config) ||
      (/\.mdx?$/.test(path) && (isAstroPage(path, config) || path.startsWith(`${config.sourceFolder}/`)));
    const isRedirected = readHostRedirects(space, `${config.publicFolder}/_redirects`);
    return {
      sources: space.entries.filter(
        (entry) =>
          (isDocsPage(entry.path, config) && entry.mode !== 'symlink') || isSource(entry, space.directory),
      ),
      readingOf(path) {
        if (isOwn(path)) return starlightReading(path);
        return isPageFile(path) ? readingOfMarkdown(path) : null;
      },
      problems: [],
      shapedBy: (_path, { frontMatter }) => frontMatter,
      publish(files) {
        const routes = astroRoutes(space, config, files);
        const rules = starlightRules({
          space,
          config,
          routes,
          isRedirected,
          judgeAnchor: (question) => judgeAnchor(question, files, config),
        });
        const others = withHostAnchors(githubRules(space.tree, space.repository), isOwn);
        return {
          get pages() {
            const isPage = (path: RepoPath) => routes.addressOf(path) !== null;
            return starlightPages(pageFilesOf(space.entries, files, isPage), routes);
          },
          get assets() {
            return space.entries
              .filter(({ path }) => path.startsWith(`${config.publicFolder}/`))
              .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
          },
          rulesOf: (file) => (isDocsPage(file, config) || isAstroPage(file, config) ? rules : others),
        };
      },
    };
  },
};

function configFile(space: SpaceInput): RepoPath {
  const { directory, index } = space;
  const paths = ASTRO_CONFIG_NAMES.map((name) => (directory === '' ? name : `${directory}/${name}`));
  return paths.find((path) => index.entry(path) !== undefined) ?? paths[0] ?? '';
}

/** Anchors that Starlight gives every page. */
const PAGE_ANCHORS = new Set([
  '',
  'top',
  '_top',
  'starlight__sidebar',
  'starlight__on-this-page',
  'starlight__search',
]);

function judgeAnchor(
  { anchor, page, facts }: AnchorQuestion,
  files: FilesRead,
  config: AstroConfig,
): AnchorVerdict {
  if (PAGE_ANCHORS.has(anchor)) return { status: 'ok' };
  const name = anchor.replace(/^user-content-(?=fn)/, '');
  const all = [facts, ...partsOf(page, facts, files, config)];
  if (all.some((one) => one.anchors.some((other) => other.name === name || other.name === anchor)))
    return { status: 'ok' };
  if (anchor === 'footnote-label' && facts.anchors.some((one) => one.name.startsWith('fn-')))
    return { status: 'ok' };
  return { status: 'broken', names: new Set(all.flatMap((one) => one.anchors.map((other) => other.name))) };
}

/** What is known of the pages that a page imports, at any depth. */
function partsOf(
  page: RepoPath,
  facts: FileFacts,
  files: FilesRead,
  config: AstroConfig,
): readonly FileFacts[] {
  const parts = new Map<RepoPath, FileFacts>();
  const open = [{ path: page, facts }];
  for (let next = open.pop(); next !== undefined && parts.size < MAX_PARTS; next = open.pop()) {
    for (const { kind, carrier, target } of next.facts.references) {
      if (kind !== 'import' || carrier !== 'include') continue;
      const alias = aliasedPath(target, config);
      const resolution = alias === null ? resolvePath(next.path, target) : null;
      const path = alias ?? (resolution?.inside === true ? resolution.path : null);
      const part = path === null || parts.has(path) ? undefined : files.facts(path);
      if (path === null || part === undefined) continue;
      parts.set(path, part);
      open.push({ path, facts: part });
    }
  }
  return [...parts.values()];
}

const MAX_PARTS = 200;
