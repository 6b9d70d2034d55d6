import {
  brokenVerdict,
  generatedVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
  type RepositoryFiles,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { isInside, pathInside } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { isScriptObject, textAt } from '../script-config/script-value.ts';
import type { DocIds } from './doc-ids.ts';
import { type ContentRoot, versionOfRoot } from './docusaurus-pages.ts';
import type { DocusaurusSite } from './docusaurus-site.ts';
import type { PageTable } from './page-table.ts';

/** Finds the files of sidebars; each maps to the version whose documents it lists. */
export function sidebarFiles(
  site: DocusaurusSite,
  roots: readonly ContentRoot[],
  { index }: Pick<RepositoryFiles, 'index'>,
): ReadonlyMap<RepoPath, ContentRoot> {
  const files = new Map<RepoPath, ContentRoot>();
  for (const root of roots) {
    if (root.plugin.kind !== 'docs' || root.locale !== null) continue;
    const { id, options } = root.plugin;
    const version = versionOfRoot(root);
    const sidebarPath = isScriptObject(options) ? textAt(options, 'sidebarPath') : undefined;
    const prefix = id === 'default' ? '' : `${id}_`;
    const name =
      version === null
        ? sidebarPath?.replace(/^\.\//, '')
        : `${prefix}versioned_sidebars/version-${version}-sidebars.json`;
    const path = name === undefined ? undefined : joinPath(site.folder, name);
    if (path !== undefined && index.entry(path) !== undefined && !files.has(path)) files.set(path, root);
  }
  return files;
}

/** What the rules of a site's configuration and sidebars need to know. */
export interface SiteSettings {
  readonly site: DocusaurusSite;
  /** The documents of each version by their ids. */
  readonly docIds: DocIds;
  readonly sidebars: ReadonlyMap<RepoPath, ContentRoot>;
  readonly hasFile: (path: RepoPath) => boolean;
}

/** The rules of `docusaurus.config.*` and of sidebars: links are ids of documents, or addresses from the site's root. */
export function siteConfigRules(settings: SiteSettings, pageRules: LinkRules): LinkRules {
  return {
    ...pageRules,
    resolve(file, reference) {
      if (isDoc(reference)) return resolveDoc(settings, rootsOf(settings, file, reference), reference.target);
      if (/^(?:\/|#|[a-z][a-z0-9+.-]*:)/i.test(reference.target)) return pageRules.resolve(file, reference);
      // The theme resolves it from the site's root.
      const resolution = pageRules.resolve(file, { ...reference, target: `/${reference.target}` });
      if (resolution.kind === 'verdict') return resolution;
      return {
        ...resolution,
        write: (path, options) => resolution.write(path, options)?.replace(/^\//, '') ?? null,
        writeAnchor: (name) => resolution.writeAnchor(name).replace(/^\//, ''),
      };
    },
    explainMissing(resolution, file, reference) {
      if (!isDoc(reference)) return pageRules.explainMissing?.(resolution, file, reference) ?? null;
      return explainMissingDoc(settings, reference);
    },
    checkAccess: (found, file, reference) =>
      isDoc(reference) ? null : (pageRules.checkAccess?.(found, file, reference) ?? null),
  };
}

/** The rules of pages, with the documents that their front matter names (`pagination_next`). */
export function withPagination(
  settings: SiteSettings,
  pageOf: Pick<PageTable, 'get'>,
  rules: LinkRules,
): LinkRules {
  const isOwn = ({ kind }: Reference) => kind === 'front-matter';
  return {
    ...rules,
    resolve(file, reference) {
      if (!isOwn(reference)) return rules.resolve(file, reference);
      const own = pageOf.get(file)?.root;
      const roots = settings.docIds.roots.filter((root) => root.folder === own?.folders.at(-1));
      return resolveDoc(settings, roots, reference.target);
    },
    explainMissing: (resolution, file, reference) =>
      isOwn(reference)
        ? explainMissingDoc(settings, reference)
        : (rules.explainMissing?.(resolution, file, reference) ?? null),
    checkAccess: (found, file, reference) =>
      isOwn(reference) ? null : (rules.checkAccess?.(found, file, reference) ?? null),
  };
}

function explainMissingDoc({ site }: SiteSettings, { target }: Reference): LinkVerdict | null {
  const { isSure, pageGenerator, config } = site;
  if (!isSure) {
    return generatedVerdict(`${config} decides by running where documents are, so this cannot be told.`);
  }
  if (pageGenerator === null) return null;
  return generatedVerdict(`The plugin ${pageGenerator} may make the document “${target}”.`);
}

function isDoc({ carrier }: Reference): boolean {
  return carrier === 'sidebar-doc' || carrier === 'navbar-doc';
}

/** The versions to whose documents an entry may refer. */
function rootsOf(
  { docIds, sidebars }: SiteSettings,
  file: RepoPath,
  { text }: Reference,
): readonly ContentRoot[] {
  const sidebar = sidebars.get(file);
  return sidebar === undefined ? docIds.roots.filter((root) => root.plugin.id === text) : [sidebar];
}

function resolveDoc(
  { docIds, hasFile }: SiteSettings,
  roots: readonly ContentRoot[],
  target: string,
): LinkResolution {
  // Older sidebars of versions contain the version in the id.
  const id = target.replace(/^version-[^/]+\//, '');
  const files = roots.flatMap((root) => docIds.fileOf(root, id) ?? []);
  const [root] = roots;
  if (root === undefined) {
    return linkVerdict('unchecked', 'The documents that this id is one of are not known.');
  }
  const guesses = ['.md', '.mdx', '/index.md', '/index.mdx'].map((ending) => `${root.folder}/${id}${ending}`);
  const misnamed = guesses.find((path) => files.length === 0 && hasFile(path));
  const idOf = (path: RepoPath) => docIds.idOf(root, path);
  if (misnamed !== undefined) {
    const own = idOf(misnamed);
    const message =
      own === null
        ? `There is no document “${id}”: ${misnamed} is left out of the site.`
        : `There is no document “${id}”: the id of ${misnamed} is “${own}”.`;
    return brokenVerdict('missing-page', message, own);
  }
  return docResolution(files[0] === undefined ? guesses : [files[0]], idOf, root);
}

function docResolution(
  paths: readonly RepoPath[],
  idOf: (path: RepoPath) => string | null,
  root: ContentRoot,
): PathResolution {
  const [first = root.folder, ...rest] = paths;
  return {
    kind: 'path',
    candidates: [first, ...rest],
    anchor: null,
    wantsFolder: false,
    expects: 'page',
    unencoded: [],
    write: (path) =>
      idOf(path) ??
      (isInside(path, root.folder) ? pathInside(path, root.folder).replace(/\.mdx?$/, '') : null),
    writeAnchor: () => '',
  };
}
