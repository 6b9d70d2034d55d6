import {
  brokenVerdict,
  generatedVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
} from '../../format-port/index.ts';
import {
  decodeFragment,
  namesSchemeOrHost,
  type ParsedTarget,
  parseTarget,
  resolveParsed,
} from '../../links/index.ts';
import { MAX_PATH_LENGTH, type Reference, type RepoPath, type RepositoryAddress } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { folderOf, isInside, isPageFile, pathInside, relativePath } from '../../tree/index.ts';
import { checkMkdocsAccess, explainMissingPage, isMadeByBuilder } from './mkdocs-access.ts';
import { type MkdocsLink, type MkdocsLinkStyle, resolveMkdocsFiles } from './mkdocs-addresses.ts';
import type { Anchors } from './mkdocs-anchors.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';
import { isPartOfPages } from './page-parts.ts';
import { isMkdocsPage } from './published-site.ts';
import { resolveInclude } from './resolve-include.ts';
import { normalised, type SitePaths } from './site-paths.ts';

/**
 * The rules of MkDocs' pages. Markdown links to source files become addresses (MkDocs, user guide, “Writing your docs”);
 * all other links, and links in HTML, stay as written and are resolved against the page's address.
 */
export function mkdocsRules(
  paths: SitePaths,
  anchors: Anchors,
  repository: RepositoryAddress | undefined,
): LinkRules {
  return {
    resolve: (file, reference) => resolve(paths, repository, file, reference),
    isPage: (path) => isMkdocsPage(path) || isPageFile(path),
    indexPageOf: (folder) => paths.site.fileAt(paths.addressOfFolder(folder)),
    anchorsOfFolder: () => true,
    explainMissing: (resolution, file) => explainMissingPage(paths, resolution) ?? explainPart(paths, file),
    checkAccess: (found, file, reference) => checkMkdocsAccess(paths, found, file, reference, repository),
    checkAnchor: (query) => anchors.check(query),
    // Outside the folder of pages, a similar name is not a page of the site.
    alternativePaths: (path) => (isInside(path, paths.docs) ? similarNames(path) : []),
  };
}

/** Why what a part of pages names may be elsewhere. */
function explainPart({ config }: SitePaths, file: RepoPath): LinkVerdict | null {
  if (!isPartOfPages(file, config)) return null;
  return generatedVerdict(`Pages elsewhere may take in ${file}, and what it names may be beside these.`);
}

function resolve(
  paths: SitePaths,
  repository: RepositoryAddress | undefined,
  file: RepoPath,
  reference: Reference,
): LinkResolution {
  const { config } = paths;
  const written = reference.target.trim();
  if (/\{\{|\{%/.test(written)) {
    return linkVerdict('unchecked', 'The destination is made by a template when the site is built.');
  }
  if (reference.kind === 'block') return resolveInclude(config, file, reference);
  const parsed = parseTarget(file, reference, repository);
  if (written === '' || written.length > MAX_PATH_LENGTH || parsed.writtenPrefix !== '') {
    return resolveParsed(file, parsed);
  }
  if (namesSchemeOrHost(written)) return resolveAddress(paths, file, written, parsed);
  const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(written) ?? [];
  const link = { file, path: decodePercent(path), parsed, tail };
  if (path === '') return resolveMkdocsFiles(paths, link, [file], 'address');
  const isRewritten = reference.kind !== 'html-link' && reference.kind !== 'html-image';
  if (path.startsWith('/') && !(isRewritten && config.absoluteFromDocs)) {
    return resolveRooted(paths, link, link.path);
  }
  if (isRewritten && isNavEntry(paths, link)) return NAVIGATION_ENTRY;
  const source = isRewritten ? paths.sourceOf(file, link.path) : null;
  const themed = source === null || isInside(source, paths.docs) ? null : paths.site.addressOf(source);
  if (source !== null && themed !== null) {
    const message = `${source} is a file of the theme: MkDocs publishes it as ${themed}, beside the pages.`;
    return brokenVerdict('outside-space', message, relativePath(file, paths.inDocs(themed)) + tail);
  }
  if (source !== null && paths.isPublished(source))
    return resolveMkdocsFiles(paths, link, [source], 'source');
  // MkDocs takes files of the theme for files of the folder of pages.
  const ofTheme =
    source !== null && isInside(source, paths.docs)
      ? paths.site.themeFileAt(pathInside(source, paths.docs))
      : null;
  if (ofTheme !== null) return resolveMkdocsFiles(paths, link, [ofTheme], 'source');
  return resolveUnchanged(paths, link, isRewritten, source);
}

/** Resolves a link that MkDocs does not rewrite against the page's address. */
function resolveUnchanged(
  paths: SitePaths,
  link: MkdocsLink,
  isRewritten: boolean,
  source: RepoPath | null,
): LinkResolution {
  const { config, site, docs, index } = paths;
  const { file, path } = link;
  const style = isRewritten ? 'source' : 'address';
  const isFile = isRewritten && isMkdocsPage(path);
  const isAddress = !/\.(?!html$)\w+$/.test(path) && (source === null || !index.has(source));
  if (isAddress && config.isPost(pathInside(file, docs))) {
    return linkVerdict(
      'unchecked',
      'The address of a post is made when the site is built, and this link starts there.',
    );
  }
  const address = paths.fromPage(file, path);
  const found = address === null ? null : site.fileAt(address);
  if (found !== null) return resolveMkdocsFiles(paths, link, [found], style);
  const moved = address === null ? null : site.redirectOf(address);
  if (moved !== null) return followRedirect(paths, link, moved, style);
  const isLost = address === null && config.basePath !== '';
  if (isLost && !isFile && (source === null || !index.has(source))) return OUTSIDE_SITE;
  if (address !== null && isMadeByBuilder(address)) return PUBLISHED_BY_BUILDER;
  const guesses = address === null ? [] : paths.guesses(address);
  if (source === null && isRewritten)
    return brokenVerdict('outside-repository', 'The path leaves the repository.');
  const fallback = address === null ? docs : paths.inDocs(address.replace(/\/$/, ''));
  const resolution = resolveMkdocsFiles(paths, link, [source ?? fallback, ...guesses], style);
  if (isRewritten || !isMkdocsPage(fallback) || site.addressOf(fallback) === null) return resolution;
  const message = `${fallback} is published at another address: MkDocs leaves links in HTML as they are.`;
  return brokenVerdict('missing-page', message, resolution.write(fallback));
}

/** Resolves an absolute address; one of the site itself is treated as a path of the site. */
function resolveAddress(
  paths: SitePaths,
  file: RepoPath,
  written: string,
  parsed: ParsedTarget,
): LinkResolution {
  const { host, basePath } = paths.config;
  const address = written.startsWith('//') ? `https:${written}` : written;
  if (host === null || basePath === null || !/^https?:/i.test(address) || !URL.canParse(address)) {
    return resolveParsed(file, parsed);
  }
  const url = new URL(address);
  const inSite = url.host === host ? paths.belowBase(decodePercent(url.pathname)) : null;
  if (inSite === null) return resolveParsed(file, parsed);
  const found = paths.site.fileAt(inSite);
  const elsewhere = found === null && !isInOwnFolder(paths, inSite) ? resolveParsed(file, parsed) : null;
  const link = { file, path: inSite, parsed, tail: url.search + url.hash };
  const candidates: [RepoPath, ...RepoPath[]] =
    found === null
      ? [paths.inDocs(normalised(inSite).replace(/\/$/, '')), ...paths.guesses(inSite)]
      : [found];
  const resolution = resolveMkdocsFiles(paths, link, candidates, 'rooted');
  return {
    ...resolution,
    // Something else may stand at an address that is not one of the site's folders.
    ...(elsewhere?.kind === 'verdict' ? { unless: elsewhere } : {}),
    anchor: url.hash === '' ? null : decodeFragment(url.hash.slice(1)),
    write(path, options) {
      const shown = resolution.write(path, options);
      return shown === null ? null : address.slice(0, address.indexOf(host) + host.length) + shown;
    },
    writeAnchor: (name) => written.replace(/#[\s\S]*$/, () => `#${name}`),
  };
}

/**
 * Whether an address can only belong to this site: it is below one of its folders, and nothing else adds addresses
 * there.
 */
function isInOwnFolder({ config, site, docs, index }: SitePaths, address: string): boolean {
  const [first = '', ...rest] = address.split('/').filter(Boolean);
  if (rest.length === 0 || config.hasVersions || config.generates !== null) return false;
  return site.redirectOf(address) === null && index.isFolder(docs === '' ? first : `${docs}/${first}`);
}

/** Resolves a path from the root of the host. */
function resolveRooted(paths: SitePaths, link: MkdocsLink, path: string): LinkResolution {
  const { config, site } = paths;
  const address = paths.belowBase(path);
  const found = address === null ? null : site.fileAt(normalised(address));
  if (found !== null) return resolveMkdocsFiles(paths, link, [found], 'rooted');
  if (address !== null && isMadeByBuilder(address)) return PUBLISHED_BY_BUILDER;
  const moved = address === null ? null : site.redirectOf(normalised(address));
  if (moved !== null) return followRedirect(paths, link, moved, 'rooted');
  const source = paths.inDocs(normalised(path.replace(/^\/+/, '')));
  const isSource = site.addressOf(source) !== null;
  if (isSource && isMkdocsPage(source)) {
    const message = `${source} is published at another address: MkDocs leaves links that begin with a slash as they are.`;
    return brokenVerdict('missing-page', message, relativePath(link.file, source) + link.tail);
  }
  const unknown = unknownAddress(config);
  if (address === null) return config.basePath === null ? (unknown ?? OUTSIDE_SITE) : OUTSIDE_SITE;
  const candidates: [RepoPath, ...RepoPath[]] = [
    paths.inDocs(normalised(address).replace(/\/$/, '')),
    ...paths.guesses(address),
  ];
  const resolution = resolveMkdocsFiles(paths, link, candidates, 'rooted');
  return unknown === null ? resolution : { ...resolution, unless: unknown };
}

/** Why it is not known where an address that begins with a slash leads; null when it is known. */
function unknownAddress({ basePath, hasVersions }: MkdocsConfig): LinkVerdict | null {
  if (basePath === null) {
    return linkVerdict(
      'unchecked',
      'The configuration has no site_url, so where links that begin with a slash lead is not known.',
    );
  }
  if (!hasVersions) return null;
  return linkVerdict(
    'unchecked',
    'Versions of the site stand below its address, and the link names one of them.',
  );
}

/**
 * Resolves a link to a redirected address. It is valid even if the redirect itself is broken: that is reported for the
 * configuration.
 */
function followRedirect(
  paths: SitePaths,
  link: MkdocsLink,
  to: string,
  style: MkdocsLinkStyle,
): LinkResolution {
  const target = paths.inDocs(to.replace(/#[\s\S]*$/, ''));
  return paths.isPublished(target) ? resolveMkdocsFiles(paths, link, [target], style) : PUBLISHED_BY_BUILDER;
}

/** Whether a link in a navigation file includes another folder, or files by a pattern. */
function isNavEntry({ config, docs, index }: SitePaths, { file, path, parsed }: MkdocsLink): boolean {
  if (config.navFileName === null || file.slice(file.lastIndexOf('/') + 1) !== config.navFileName)
    return false;
  if (path.includes('*')) return true;
  const { target } = parsed;
  return path.endsWith('/') && target.kind === 'path' && index.isFolder(target.path) && target.path !== docs;
}

const PUBLISHED_BY_BUILDER = linkVerdict('ok', null);
const NAVIGATION_ENTRY = linkVerdict('ok', null);
const OUTSIDE_SITE = linkVerdict('unchecked', 'The link leaves the site, to what its host holds beside it.');

function similarNames(path: RepoPath): readonly RepoPath[] {
  const stem = path
    .replace(/\/$/, '')
    .replace(/\.html?$/i, '')
    .replace(/\.md$/, '');
  if (stem === '' || folderOf(`${stem}/x`) === '') return [];
  const names = [`${stem}.md`, `${stem}/index.md`, `${stem}/README.md`];
  const folder = /(?:^|\/)(?:index|README)$/.test(stem) ? stem.replace(/(?:index|README)$/, '') : null;
  if (folder !== null) names.push(`${folder}index.md`, `${folder}README.md`);
  return [...new Set(names)].filter((candidate) => candidate !== path);
}
