import {
  type AnchorQuery,
  type AnchorVerdict,
  brokenVerdict,
  type FoundTarget,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
} from '../../format-port/index.ts';
import { parseTarget, resolveParsed, resolvePaths } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { isInside, isPageFile, isReadme } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { alternativeMarkdownPaths } from '../github/github-rules.ts';
import { explainMissingRoute } from './vitepress-access.ts';
import { routeResolution } from './vitepress-addresses.ts';
import { candidatesOf, isOwnLink, isPicture, isRaw, isShownCode } from './vitepress-candidates.ts';
import type { LinkOrigin, VitepressPages } from './vitepress-context.ts';
import { slugify } from './vitepress-headings.ts';
import { includePath, type VitepressSite } from './vitepress-site.ts';

const OUTSIDE_SITE = linkVerdict(
  'unchecked',
  'The link leads out of the site, to what stands beside it on its host.',
);
const ALIAS = linkVerdict('unchecked', 'The path begins with an alias of the site’s own.');

/** The rules of VitePress pages: links are routes below the source folder, or files in the public folder. */
export function vitepressRules(known: VitepressPages, origin: LinkOrigin = { kind: 'page' }): LinkRules {
  return {
    resolve: (file, reference) => resolve(known, origin, file, reference),
    isPage: isPageFile,
    indexPageOf(folder) {
      const page = joinPath(folder, 'index.md');
      return known.pages.has(page) ? page : null;
    },
    anchorsOfFolder: () => true,
    explainMissing: (resolution, file, reference) =>
      explainHostPath(known, file, reference) ?? explainMissingRoute(known, origin, resolution, reference),
    checkAccess: (found, _file, reference) => checkVitepressAccess(known, origin, found, reference),
    checkAnchor: (query) => checkVitepressAnchor(known, query),
    alternativePaths: (path) => (isInside(path, known.site.source) ? alternativeMarkdownPaths(path) : []),
  };
}

function resolve(
  known: VitepressPages,
  origin: LinkOrigin,
  file: RepoPath,
  reference: Reference,
): LinkResolution {
  const { site, repository } = known;
  const parsed = parseTarget(file, reference, repository);
  const { target } = reference;
  if (/^virtual:/.test(reference.target) && (reference.kind === 'block' || reference.kind === 'import')) {
    return linkVerdict('unchecked', 'A plugin of Vite makes this module.');
  }
  if (reference.kind === 'block') {
    const path = includePath(site, file, target);
    return path === null ? ALIAS : { ...resolvePaths(file, parsed, [path], null), expects: 'file' };
  }
  if (isShownCode(reference)) {
    const path = includePath(site, file, parsed.writtenPath);
    return path === null ? ALIAS : { ...resolvePaths(file, parsed, [path], null), expects: 'file' };
  }
  if (reference.kind === 'import') return resolveImport(file, reference);
  if (/^[@~]/.test(target) && isPicture(reference)) return ALIAS;
  if (target.includes('{{'))
    return linkVerdict('unchecked', 'Only the site knows what this expression answers.');
  const outside = parsed.target.kind === 'invalid' && parsed.target.rule === 'outside-repository';
  if (parsed.target.kind !== 'path' || parsed.writtenPrefix !== '') {
    return outside && !isPicture(reference) ? OUTSIDE_SITE : resolveParsed(file, parsed);
  }
  if (parsed.writtenPath === '')
    return resolvePaths(file, parsed, [origin.kind === 'part' ? origin.of : file]);
  const isLost = site.base === null && isRaw(reference) && parsed.writtenPath.startsWith('/');
  const [first, ...rest] = candidatesOf(known, origin, file, parsed, reference);
  if (first === undefined && isLost) return unknownBase(site);
  if (first === undefined) return resolveOutsideSite(known, origin, file, reference) ?? OUTSIDE_SITE;
  const resolution = resolvePaths(file, { ...parsed, wantsFolder: false }, [first, ...rest]);
  const route = routeResolution(known, parsed, resolution, file, reference);
  return isLost ? { ...route, unless: unknownBase(site) } : route;
}

/** The verdict on a path of the repository in a README, which is no first page of a folder here, but is on the host. */
function explainHostPath(known: VitepressPages, file: RepoPath, { target }: Reference): LinkVerdict | null {
  if (!isReadme(file) || !target.startsWith('/')) return null;
  const path = decodePercent(target.slice(1).replace(/[?#][\s\S]*$/, ''));
  if (!known.pages.has(path)) return null;
  const message = `The repository’s host leads ${target} to ${path}, and the site leads it nowhere.`;
  return linkVerdict('ok', null, { warning: { rule: 'works-on-github-only', message } });
}

function unknownBase({ config }: VitepressSite): LinkVerdict {
  return linkVerdict('unchecked', `${config} decides by running where the site stands on its host.`);
}

/** Checks an HTML link that leads out of the site: if the site has a page at its path, the base is missing. */
function resolveOutsideSite(
  known: VitepressPages,
  origin: LinkOrigin,
  file: RepoPath,
  reference: Reference,
): LinkResolution | null {
  const { base } = known.site;
  if (base === null && reference.target.startsWith('/')) {
    return unknownBase(known.site);
  }
  if (reference.kind !== 'html-link' || base === null || !/^\/[^/?#]/.test(reference.target)) return null;
  const parsed = parseTarget(file, reference, known.repository);
  const paths = candidatesOf(known, origin, file, parsed, { ...reference, kind: 'link' });
  if (!paths.some((path) => known.pages.has(path))) return null;
  const message = `The site stands at ${base} on its host, and VitePress does not put that in front of links in HTML.`;
  return brokenVerdict('missing-page', message, base.slice(0, -1) + reference.target);
}

/** Resolves an import, which may omit the extension of a script. */
function resolveImport(file: RepoPath, reference: Reference): LinkResolution {
  const parsed = parseTarget(
    file,
    { ...reference, target: reference.target.replace(/\?.*$/, '') },
    undefined,
  );
  if (parsed.target.kind !== 'path') return resolveParsed(file, parsed);
  const { path } = parsed.target;
  const withExtensions = EXTENSIONS.map((extension) => path + extension);
  const resolution = resolvePaths(
    file,
    parsed,
    [path, ...withExtensions, path.replace(/\.js$/, '.ts')],
    null,
  );
  return { ...resolution, expects: 'file', wantsFolder: false };
}

const EXTENSIONS = ['.ts', '.js', '.mts', '.mjs', '.tsx', '.jsx', '.json', '/index.ts', '/index.js'];

function checkVitepressAccess(
  { site, pages }: VitepressPages,
  origin: LinkOrigin,
  { file, isFolder, candidate }: FoundTarget,
  reference: Reference,
): LinkVerdict | null {
  if (
    !isOwnLink(reference) ||
    isShownCode(reference) ||
    NOT_LINKS.has(reference.kind) ||
    isPicture(reference)
  )
    return null;
  if (file === null) {
    if (!isFolder || origin.kind === 'loose' || !isInside(candidate, site.source)) return null;
    return brokenVerdict(
      'missing-page',
      `${candidate} is a folder, and no page is published at this address.`,
    );
  }
  if (isInside(file, site.publicFolder) || pages.has(file)) return null;
  if (isPageFile(file)) {
    if (origin.kind === 'loose' || isShownAt(site, candidate, file)) return null;
    const rule = isInside(file, site.source) ? 'unlisted-page' : 'outside-space';
    return brokenVerdict(rule, `${file} is there, but the site does not publish it as a page.`);
  }
  const message = `${file} is in the repository, but the site does not publish it; files for readers belong into ${site.publicFolder}.`;
  return linkVerdict('ok', null, { warning: { rule: 'works-on-github-only', message } });
}

/** Whether a page is a symbolic link to a file that is not among the site's sources, whose text it shows. */
function isShownAt(site: VitepressSite, candidate: RepoPath, file: RepoPath): boolean {
  return candidate !== file && isPageFile(candidate) && isInside(candidate, site.source);
}

/** Kinds of references that include a file rather than lead readers to it. */
const NOT_LINKS: ReadonlySet<Reference['kind']> = new Set(['block', 'import']);

/** Kinds of references whose fragments VitePress rewrites to slugs from release 2 on. */
const REWRITTEN: ReadonlySet<Reference['kind']> = new Set(['link', 'definition', 'autolink']);

function checkVitepressAnchor(
  { site, anchors, pages }: VitepressPages,
  { anchor, page, facts, reference }: AnchorQuery,
): AnchorVerdict {
  const { names, isOpen } = anchors.of(page, facts);
  if (anchor === '' || anchor === 'top' || names.has(anchor)) return { status: 'ok' };
  const isRewritten = site.slugsFragments && REWRITTEN.has(reference.kind);
  if (isRewritten && names.has(slugify(anchor))) return { status: 'ok' };
  if (site.hasOwnSlugs) {
    return {
      status: 'unchecked',
      message: 'The site names its headings by a function of its own, or may do so.',
      knownNames: names,
    };
  }
  if (!pages.has(page)) {
    const message = `A symbolic link shows ${page} on the site, which may name a heading of it “${anchor}”.`;
    return { status: 'unchecked', message, knownNames: names };
  }
  if (isOpen || page.includes('[')) {
    const message = `Components or data draw ${page}, and may make “${anchor}”.`;
    return { status: 'unchecked', message, knownNames: names };
  }
  return { status: 'broken', names };
}
