import { namesSchemeOrHost, type ParsedTarget } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { isInside, pathInside, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import type { LinkOrigin, VitepressPages } from './vitepress-context.ts';
import type { VitepressSite } from './vitepress-site.ts';

/** Extensions of links that do not lead to pages. */
const FILES =
  /\.(?:3g2|3gp|aac|ai|apng|au|avif|bin|bmp|cer|class|conf|crl|css|csv|dll|doc|eps|epub|exe|gif|gz|ico|ics|ief|jar|jpe|jpeg|jpg|js|json|jsonld|m4a|man|mid|midi|mjs|mov|mp2|mp3|mp4|mpe|mpeg|mpg|mpp|oga|ogg|ogv|ogx|opus|otf|p10|p7c|p7m|p7s|pdf|png|ps|qt|roff|rtf|rtx|ser|svg|t|tif|tiff|tr|ts|tsv|ttf|txt|vtt|wav|weba|webm|webp|woff|woff2|xhtml|xml|yaml|yml|zip)$/i;

/** Whether a link's path, without query and fragment, leads to a file rather than to a page. */
export function isFilePath(path: string): boolean {
  return FILES.test(path);
}

/** Whether a reference embeds a file, which the site's bundler also finds relative to the page. */
export function isPicture({ kind, carrier }: Reference): boolean {
  if (kind === 'front-matter')
    return carrier?.startsWith('hero.image') === true || carrier?.endsWith('src') === true;
  return kind === 'image' || kind === 'html-image' || (kind === 'config' && carrier === 'logo');
}

/** Whether a link shows the code of a file, as plugins have it that VuePress had before: `@[code](@/part.ts)`. */
export function isShownCode({ kind, target, text }: Reference): boolean {
  return kind === 'link' && /^@[/\\]/.test(target) && /^code\b/.test(text);
}

/** False for addresses with a scheme. */
export function isOwnLink({ target }: Reference): boolean {
  return !namesSchemeOrHost(target);
}

/** The files to which a link may lead, in the builder's order; none when it leads out of the site. */
export function candidatesOf(
  known: VitepressPages,
  origin: LinkOrigin,
  file: RepoPath,
  parsed: ParsedTarget,
  reference: Reference,
): readonly RepoPath[] {
  const { site } = known;
  const path = decodePercent(parsed.writtenPath);
  if (isRooted(path, reference)) {
    const rooted = `/${path.replace(/^\/+/, '')}`;
    const stripped = withoutBase(site, rooted, reference);
    const found = stripped === null ? null : resolvePath('x', `.${stripped}`);
    return found?.inside === true ? filesOf(known, found.path, endsWithSlash(rooted), reference) : [];
  }
  const bases = origin.kind === 'part' && !isPicture(reference) ? [file, origin.of] : [file];
  const routes = bases.flatMap((base) => {
    const found = resolvePath(publishedAt(known, base), path);
    if (!found.inside || !(found.path === site.source || isInside(found.path, site.source))) return [];
    return filesOf(known, pathInside(found.path, site.source), found.endsWithSlash, reference);
  });
  if (reference.kind === 'front-matter' && !isPicture(reference) && routes.length === 0) {
    // Browsers stop at the root of the host, which is the site's where it has no base.
    const rest = path.replace(/^(?:\.{1,2}\/)+/, '');
    return site.base === '/' ? filesOf(known, rest, endsWithSlash(rest), reference) : [];
  }
  const asFile = parsed.target.kind === 'path' ? [parsed.target.path] : [];
  const inSite = asFile.every((candidate) => isInside(candidate, site.source) || candidate === site.source);
  if (isPicture(reference)) return [...asFile, ...routes];
  // Also files that the site does not publish, such as a licence, and pages that are linked in a loose text.
  if (origin.kind === 'loose' || !inSite || FILES.test(path)) return [...routes, ...asFile];
  return routes;
}

/** The theme resolves its own links from the root, unless they begin with a dot. */
function isRooted(path: string, { kind }: Reference): boolean {
  if (path.startsWith('/')) return true;
  return (kind === 'config' || kind === 'front-matter') && !path.startsWith('.');
}

/** Whether a path is shown to readers as written, so that it must contain the base; the builder puts it before all others. */
export function isRaw({ kind, carrier }: Pick<Reference, 'kind' | 'carrier'>): boolean {
  return kind === 'html-link' || (kind === 'config' && carrier === 'head');
}

/** A rooted path without the site's base; null when a link that the builder does not rewrite leads out of the site. */
function withoutBase({ base }: VitepressSite, path: string, { kind, carrier }: Reference): string | null {
  if (!isRaw({ kind, carrier }) || base === '/') return path;
  return base !== null && `${path}/`.startsWith(base) ? path.slice(base.length - 1) || '/' : null;
}

/** The address of a page as a path of the repository, after rewrites. */
export function publishedAt({ site: { source }, rewrittenTo }: VitepressPages, file: RepoPath): RepoPath {
  if (!isInside(file, source)) return file;
  const rewritten = rewrittenTo(pathInside(file, source));
  return rewritten === null ? file : joinPath(source, rewritten);
}

/** The files that may be published at a route, which has no leading slash. */
function filesOf(
  { site, rewrittenTo, rewrittenFrom, generatedFrom }: VitepressPages,
  route: string,
  isFolder: boolean,
  reference: Reference,
): readonly RepoPath[] {
  const { source, publicFolder } = site;
  if (isPicture(reference) || FILES.test(route))
    return [joinPath(publicFolder, route), joinPath(source, route)];
  const stem = isFolder || route === '' ? joinPath(route, 'index') : route.replace(/\.(?:html|md)$/, '');
  const pagesAt = (page: string) => {
    const original = rewrittenFrom(page);
    const pages = original !== null ? [original] : rewrittenTo(page) !== null ? [] : [page];
    return pages.map(
      (candidate) => generatedFrom.get(joinPath(source, candidate)) ?? joinPath(source, candidate),
    );
  };
  const bare = /\.(?:html|md)$/.test(route) || isFolder ? [] : [joinPath(publicFolder, route)];
  return [
    ...pagesAt(`${stem}.md`),
    joinPath(publicFolder, `${stem}.html`),
    ...bare,
    ...(isFollowed(reference) ? pagesAt(otherSlash(stem)) : []),
  ];
}

/**
 * Whether the build does not check a link: where it has a slash at its end too many or too few, the site's program leads
 * on (`pathToFile`). It stops at such a link in Markdown.
 */
function isFollowed({ kind }: Reference): boolean {
  return kind === 'config' || kind === 'front-matter' || kind === 'html-link';
}

/** The page whose address differs from that of another by the slash at its end: `a/index.md` for `a`. */
function otherSlash(stem: string): string {
  return /\/index$/.test(stem) ? stem.replace(/\/index$/, '.md') : `${stem}/index.md`;
}

function endsWithSlash(path: string): boolean {
  return path === '' || /(?:^|\/)\.{0,2}$/.test(path);
}
