import {
  brokenVerdict,
  type FoundTarget,
  generatedVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import {
  decodeFragment,
  type ParsedTarget,
  parseTarget,
  resolveParsed,
  schemeOf,
} from '../../links/index.ts';
import { MAX_PATH_LENGTH, type Reference, type RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { isInside, isPageFile, pathInside, resolvePath } from '../../tree/index.ts';
import {
  belowBase,
  pageAddress,
  resolveStarlightFiles,
  type StarlightLink,
  trimmed,
  unknownBase,
} from './starlight-addresses.ts';
import { resolveConfigPath } from './starlight-config-rules.ts';
import type { StarlightSite } from './starlight-context.ts';
import { isFileReference, resolveFile } from './starlight-files.ts';
import { guessSources, resolveOutsideSite, resolveRoute } from './starlight-routes.ts';

/**
 * The rules of Starlight pages. Astro does not rewrite links, so they are resolved against the page's address. Markdown
 * pictures and imports are paths of files.
 */
export function starlightRules(site: StarlightSite): LinkRules {
  return {
    resolve: (file, reference) => resolve(site, file, reference),
    isPage: (path) => isPageFile(path) || /\.(?:mdx|mdoc)$/.test(path),
    indexPageOf: () => null,
    anchorsOfFolder: () => true,
    explainMissing: (resolution, _file, reference) => explainMissing(site, resolution, reference),
    checkAccess: (found, file, reference) => checkStarlightAccess(site, found, file, reference),
    checkAnchor: site.checkAnchor,
    alternativePaths: () => [],
  };
}

function resolve(site: StarlightSite, file: RepoPath, reference: Reference): LinkResolution {
  const written = reference.target.trim();
  const { config, space } = site;
  const parsed = parseTarget(file, reference, space.repository);
  if (written === '' || written.length > MAX_PATH_LENGTH || parsed.writtenPrefix !== '') {
    return resolveParsed(file, parsed);
  }
  if (written.startsWith('//') || schemeOf(written) !== null)
    return resolveAddress(site, file, written, parsed);
  const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(written) ?? [];
  const link: StarlightLink = { file, path: decodePercent(path), parsed, tail };
  if (reference.kind === 'config') return resolveConfigPath(site, link, reference);
  if (path === '') return resolveStarlightFiles(site, link, [file], 'page');
  // A Markdown picture whose path begins with a slash is an address, which Astro does not rewrite.
  const isAddress = reference.kind === 'image' && path.startsWith('/');
  if (isFileReference(reference) && !isAddress) return resolveFile(site, link, reference);
  if (path.startsWith('/') && config.basePath === null) {
    const resolution = resolveRoute(site, link, link.path.replace(/^\/+/, ''));
    const unless = unknownBase(config);
    return resolution.kind === 'path' ? { ...resolution, unless } : unless;
  }
  if (path.startsWith('/')) {
    const address = belowBase(site, link.path);
    return address === null ? resolveOutsideSite(site, link) : resolveRoute(site, link, address);
  }
  if (config.trailingSlash === null || config.asFiles === null) {
    return linkVerdict('unchecked', `${config.file} decides by running how addresses end.`);
  }
  const own = pageAddress(site, file);
  if (own === null) return linkVerdict('unchecked', 'The page has no address of its own.');
  const resolution = resolvePath(own, link.path);
  if (!resolution.inside && config.basePath !== '') {
    return linkVerdict('unchecked', 'The link leaves the site, to what its host holds beside it.');
  }
  return resolveRoute(site, link, resolution.inside ? resolution.path : resolution.rest);
}

/** Resolves an absolute address; one of a page of the site is treated as a path of the site. */
function resolveAddress(
  site: StarlightSite,
  file: RepoPath,
  written: string,
  parsed: ParsedTarget,
): LinkResolution {
  const { host } = site.config;
  const address = written.startsWith('//') ? `https:${written}` : written;
  if (host === null || !/^https?:/i.test(address) || !URL.canParse(address))
    return resolveParsed(file, parsed);
  const url = new URL(address);
  const route =
    url.host === host && site.config.basePath !== null ? belowBase(site, decodePercent(url.pathname)) : null;
  if (route === null) return resolveParsed(file, parsed);
  const found = site.routes.fileAt(trimmed(route));
  const candidates = found === null ? guessSources(site, trimmed(route)) : ([found] as const);
  const elsewhere = found === null ? resolveParsed(file, parsed) : null;
  return {
    ...resolveStarlightFiles(
      site,
      { file, path: '', parsed, tail: url.search + url.hash },
      candidates,
      'page',
    ),
    ...(elsewhere?.kind === 'verdict' ? { unless: elsewhere } : {}),
    anchor: url.hash === '' ? null : decodeFragment(url.hash.slice(1)),
    write: () => null,
    writeAnchor: (name) => written.replace(/#[\s\S]*$/, () => `#${name}`),
  };
}

function explainMissing(
  { config, routes }: StarlightSite,
  { candidates: [path] }: PathResolution,
  reference: Reference,
): LinkVerdict | null {
  if (!config.isSure && !isFileReference(reference)) {
    return generatedVerdict(`${config.file} decides by running where pages are published.`);
  }
  if (isFileReference(reference) || !isInside(path, config.contentFolder)) return null;
  const namesSource = /\.mdx?$/.test(reference.target.replace(/[?#][\s\S]*$/, ''));
  const generator = config.generates ?? (namesSource ? null : config.converter);
  if (generator !== null) {
    return generatedVerdict(
      `The repository has no ${path}, and ${generator} may make it when the site is built.`,
    );
  }
  if (config.locales === null) {
    const message = `The languages of the site are not known from ${config.file}, so the page may stand in for a translation.`;
    const inside = pathInside(path, config.contentFolder).replace(/(?:(?:^|\/)index)?\.\w+$/, '');
    const original = inside.split('/').slice(1).join('/');
    return routes.fileAt(original) === null ? generatedVerdict(message) : linkVerdict('unchecked', message);
  }
  return null;
}

function checkStarlightAccess(
  { space }: StarlightSite,
  { candidate, isFolder }: FoundTarget,
  file: RepoPath,
  reference: Reference,
): LinkVerdict | null {
  if (!isFolder || reference.kind === 'import') return null;
  // An address on the repository's host shows the folder.
  if (parseTarget(file, reference, space.repository).writtenPrefix !== '') return null;
  return brokenVerdict('missing-page', `${candidate} is a folder, and no page is published at this address.`);
}
