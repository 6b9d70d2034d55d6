import { type ParsedTarget, parseTarget } from '../../links/parse-target.ts';
import { resolveParsed, resolvePaths } from '../../links/resolve-parsed.ts';
import type { FileFacts, Reference, RepoPath, RepositoryAddress } from '../../model.ts';
import { isInside, isPageFile, pathInside } from '../../tree/page-files.ts';
import { folderOf, relativePath, resolvePath } from '../../tree/relative-path.ts';
import { anchorsOf, haveAnchor } from '../anchor-sets.ts';
import { otherMarkdownNames } from '../github/github-rules.ts';
import { brokenFinding, type Finding, finding, type LinkRules, type PathResolution } from '../link-rules.ts';
import { slugify } from './vitepress-headings.ts';
import { join, type VitepressSite } from './vitepress-site.ts';

/** A site whose pages are known. */
export interface VitepressPages {
  readonly site: VitepressSite;
  /** Files that are published as pages. */
  readonly pages: ReadonlySet<RepoPath>;
  /** Those of them that data makes pages from (`[id].md`). */
  readonly dynamicPages: readonly RepoPath[];
  /** Facts of the Markdown files that a page takes in. */
  includedBy(page: RepoPath): readonly FileFacts[];
  /** What the host does with addresses that the site does not have. */
  isRedirected(address: string): boolean;
  has(path: RepoPath): boolean;
  readonly repository: RepositoryAddress | undefined;
}

/** Where the links of a file are relative to. */
export type Place =
  | { readonly kind: 'page' }
  /** A part of another page: relative to its own folder in newer releases, to the page's in older ones. */
  | { readonly kind: 'part'; readonly of: RepoPath }
  /** Shown somewhere by code of the site. */
  | { readonly kind: 'loose' };

/** Extensions that are no pages, in a link without `.md` or `.html`. */
const FILES =
  /\.(?:3g2|3gp|aac|ai|apng|au|avif|bin|bmp|cer|class|conf|crl|css|csv|dll|doc|eps|epub|exe|gif|gz|ico|ics|ief|jar|jpe|jpeg|jpg|js|json|jsonld|m4a|man|mid|midi|mjs|mov|mp2|mp3|mp4|mpe|mpeg|mpg|mpp|oga|ogg|ogv|ogx|opus|otf|p10|p7c|p7m|p7s|pdf|png|ps|qt|roff|rtf|rtx|ser|svg|t|tif|tiff|tr|ts|tsv|ttf|txt|vtt|wav|weba|webm|webp|woff|woff2|xhtml|xml|yaml|yml|zip)$/i;

/** What plugins and themes commonly write beside the pages. */
const MADE = /(?:^|\/)[^/]*\.(?:txt|xml|json|rss|atom|webmanifest|ics)$/i;

/** The rules of a page as the site is published: routes below the source folder, files in the public folder. */
export function vitepressRules(known: VitepressPages, place: Place = { kind: 'page' }): LinkRules {
  const { site, pages } = known;
  const indexPageOf = (folder: RepoPath) => {
    const page = join(folder, 'index.md');
    return pages.has(page) ? page : null;
  };
  return {
    resolve: (file, reference) => resolve(known, place, file, reference),
    isPage: isPageFile,
    indexPageOf,
    anchorsOfFolder: () => true,
    explainMissing: (resolution, _file, reference) => explainMissing(known, place, resolution, reference),
    objectTo({ file }, _from, reference) {
      if (file === null || !isOwnLink(reference) || isInside(file, site.publicFolder) || pages.has(file))
        return null;
      if (reference.kind === 'block' || isPicture(reference)) return null;
      if (isPageFile(file)) {
        if (place.kind === 'loose') return null;
        const rule = isInside(file, site.source) ? 'unlisted-page' : 'outside-space';
        return brokenFinding(rule, `${file} is there, but the site does not publish it as a page.`);
      }
      const message = `${file} is in the repository, but the site does not publish it; files for readers belong into ${site.publicFolder}.`;
      return finding('ok', null, { warning: { rule: 'works-on-github-only', message } });
    },
    judgeAnchor({ anchor, page, facts, reference }) {
      const all = [facts, ...known.includedBy(page)];
      if (anchor === '' || anchor === 'top' || haveAnchor(all, anchor)) return { status: 'ok' };
      if (reference.kind !== 'html-link' && haveAnchor(all, slugify(anchor))) return { status: 'ok' };
      if (site.hasOwnSlugs) {
        return { status: 'unchecked', message: 'The site names its headings by a function of its own.' };
      }
      if (all.some((one) => one.opensAnchors === true) || page.includes('[')) {
        return { status: 'unchecked', message: `Components or data draw ${page}, and may make “${anchor}”.` };
      }
      return { status: 'broken', names: anchorsOf(all) };
    },
    otherNames: (path) => (isInside(path, site.source) ? otherMarkdownNames(path) : []),
  };
}

function resolve(known: VitepressPages, place: Place, file: RepoPath, reference: Reference) {
  const { site, repository } = known;
  const parsed = parseTarget(file, reference, repository);
  const { target } = reference;
  if (reference.kind === 'block') {
    const path = snippetPath(site, file, target);
    if (path === null) return finding('unchecked', 'The path begins with an alias of the site’s own.');
    return { ...resolvePaths(file, parsed, [path], null), expects: 'file' as const };
  }
  if (/^[@~]/.test(target) && isPicture(reference)) {
    return finding('unchecked', 'The path begins with an alias of the site’s own.');
  }
  if (target.includes('{{')) return finding('unchecked', 'Only the site knows what this expression answers.');
  const outside = parsed.target.kind === 'invalid' && parsed.target.rule === 'outside-repository';
  if (parsed.target.kind !== 'path' || parsed.writtenPrefix !== '') {
    if (outside && !isPicture(reference)) {
      return finding('unchecked', 'The link leads out of the site, to what stands beside it on its host.');
    }
    return resolveParsed(file, parsed);
  }
  if (parsed.writtenPath === '') return resolvePaths(file, parsed, [place.kind === 'part' ? place.of : file]);
  const candidates = candidatesOf(known, place, file, parsed, reference);
  const [first, ...rest] = candidates;
  if (first === undefined) {
    return finding('unchecked', 'The link leads out of the site, to what stands beside it on its host.');
  }
  return routeResolution(
    known,
    parsed,
    resolvePaths(file, { ...parsed, wantsFolder: false }, [first, ...rest]),
    file,
    reference,
  );
}

/** The file of an include or snippet: `@` is the source folder. */
export function snippetPath({ source }: VitepressSite, file: RepoPath, target: string): RepoPath | null {
  const inSource = target.startsWith('@');
  if (inSource && !/^@[/\\]/.test(target)) return null;
  const found = inSource ? resolvePath(join(source, 'x'), `.${target.slice(1)}`) : resolvePath(file, target);
  return found.inside ? found.path : null;
}

function candidatesOf(
  { site }: VitepressPages,
  place: Place,
  file: RepoPath,
  parsed: ParsedTarget,
  reference: Reference,
): readonly RepoPath[] {
  const path = decodePath(parsed.writtenPath);
  if (path.startsWith('/')) {
    const stripped =
      reference.kind === 'html-link' && site.base !== '/' && `${path}/`.startsWith(site.base)
        ? path.slice(site.base.length - 1)
        : path;
    const found = resolvePath('x', `.${stripped}`);
    return found.inside ? filesOf(site, found.path, endsWithSlash(stripped), reference) : [];
  }
  const bases = place.kind === 'part' && !isPicture(reference) ? [file, place.of] : [file];
  const routes = bases.flatMap((base) => {
    const found = resolvePath(publishedAt(site, base), path);
    if (!found.inside || !(found.path === site.source || isInside(found.path, site.source))) return [];
    return filesOf(site, pathInside(found.path, site.source), found.endsWithSlash, reference);
  });
  const asFile = parsed.target.kind === 'path' ? [parsed.target.path] : [];
  const inSite = asFile.every((one) => isInside(one, site.source) || one === site.source);
  if (isPicture(reference)) return [...asFile, ...routes];
  // A file of the repository that the site does not publish, such as a licence, and the page of a loose text.
  if (place.kind === 'loose' || !inSite || FILES.test(path)) return [...routes, ...asFile];
  return routes;
}

/** The page's own address as a path of the repository: where a rewrite puts it. */
function publishedAt({ source, rewrites }: VitepressSite, file: RepoPath): RepoPath {
  if (!isInside(file, source)) return file;
  const rewritten = rewrites.get(pathInside(file, source));
  return rewritten === undefined ? file : join(source, rewritten);
}

/** Files that may stand behind a route, which has no slash in front. */
function filesOf(
  site: VitepressSite,
  route: string,
  isFolder: boolean,
  reference: Reference,
): readonly RepoPath[] {
  const { source, publicFolder, rewrites, movedFrom } = site;
  if (isPicture(reference) || FILES.test(route)) return [join(publicFolder, route), join(source, route)];
  const stem = isFolder || route === '' ? join(route, 'index') : route.replace(/\.(?:html|md)$/, '');
  const page = `${stem}.md`;
  const moved = movedFrom.get(page);
  const pages = moved !== undefined ? [moved] : rewrites.has(page) ? [] : [page];
  const bare = /\.(?:html|md)$/.test(route) || isFolder ? [] : [join(publicFolder, route)];
  return [...pages.map((one) => join(source, one)), join(publicFolder, `${stem}.html`), ...bare];
}

/** Suggestions are written as the author wrote: rooted or relative, with `.md`, `.html` or nothing. */
function routeResolution(
  { site, pages }: VitepressPages,
  parsed: ParsedTarget,
  resolution: PathResolution,
  file: RepoPath,
  reference: Reference,
): PathResolution {
  const { writtenPath } = parsed;
  const ending = /\.(?:html|md)$/.exec(writtenPath)?.[0] ?? '';
  return {
    ...resolution,
    wantsFolder: false,
    unencoded: [],
    expects: isPicture(reference) || FILES.test(writtenPath) ? 'file' : 'page',
    write(path, { tail = parsed.writtenTail } = {}) {
      if (!isInside(path, site.source)) return null;
      if (!isPageFile(path)) {
        if (isInside(path, site.publicFolder)) return `/${pathInside(path, site.publicFolder)}${tail}`;
        return writtenPath.startsWith('/') ? null : resolution.write(path, { tail });
      }
      if (!pages.has(path)) return null;
      const published = publishedAt(site, path);
      const shown =
        ending === ''
          ? published.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')
          : published.replace(/\.md$/, ending);
      if (writtenPath.startsWith('/'))
        return `/${shown === site.source ? '' : shown.slice(site.source === '' ? 0 : site.source.length + 1)}${tail}`;
      const said = relativePath(publishedAt(site, file), shown === '' ? folderOf(published) : shown);
      return `${writtenPath.startsWith('./') && !said.startsWith('.') ? './' : ''}${said}${tail}`;
    },
  };
}

function explainMissing(
  known: VitepressPages,
  place: Place,
  { candidates, expects }: PathResolution,
  reference: Reference,
): Finding | null {
  const { site, pages } = known;
  if (reference.kind === 'block') return null;
  const path = candidates[0];
  const route = isInside(path, site.source) ? pathInside(path, site.source) : path;
  if (expects === 'file') {
    if (!isPicture(reference) && MADE.test(path)) {
      return finding('unchecked', `${route} is not in the repository; a plugin of the site may write it.`);
    }
    return null;
  }
  if (!site.isSure) {
    return finding(
      'unchecked',
      `${site.config} decides by running where pages are published, so this cannot be told.`,
    );
  }
  const address = `/${route.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
  if (known.isRedirected(address)) {
    return finding('unchecked', `There is no page ${address}; the host’s redirects lead it on.`);
  }
  for (const page of known.dynamicPages) {
    if (fitsDynamic(page, path)) {
      return finding('unchecked', `${page} makes pages like this one, which only the site’s data knows.`);
    }
  }
  if (place.kind === 'loose' && !reference.target.startsWith('/')) {
    return finding('unchecked', 'Code of the site shows this text, and only it knows on which page.');
  }
  if (!isInside(path, site.source) && !isPageFile(path)) return null;
  const folder = join(path.replace(/\.md$/, ''), 'index.md');
  if (pages.has(folder) && isOwnLink(reference)) {
    const suggestion = reference.target.replace(/(?:\.(?:html|md))?(?=[?#]|$)/, '/');
    return brokenFinding(
      'missing-page',
      `There is no ${path}; the address of ${folder} ends with a slash.`,
      suggestion,
    );
  }
  return null;
}

/** Whether a page of data (`[id].md`) may make a path. */
function fitsDynamic(page: RepoPath, path: RepoPath): boolean {
  const parts = page.split('/');
  const others = path.split('/');
  return (
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || fitsPart(part, others[at] ?? ''))
  );
}

function fitsPart(part: string, other: string): boolean {
  const start = part.indexOf('[');
  const end = part.lastIndexOf(']');
  if (start === -1 || end < start) return false;
  return other.startsWith(part.slice(0, start)) && other.endsWith(part.slice(end + 1));
}

function isPicture({ kind, carrier }: Reference): boolean {
  if (kind === 'front-matter')
    return carrier?.startsWith('hero.image') === true || carrier?.endsWith('src') === true;
  return kind === 'image' || kind === 'html-image';
}

/** False for addresses with a scheme. */
function isOwnLink({ target }: Reference): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
}

function endsWithSlash(path: string): boolean {
  return path === '' || /(?:^|\/)\.{0,2}$/.test(path);
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
