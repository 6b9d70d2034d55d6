import { MAX_PATH_LENGTH } from '../../limits.ts';
import { type ParsedTarget, parseTarget } from '../../links/parse-target.ts';
import { resolveParsed, resolvePaths } from '../../links/resolve-parsed.ts';
import { schemeOf } from '../../links/schemes.ts';
import type { Reference, RepoPath } from '../../model.ts';
import { isInside, isPageFile, pathInside } from '../../tree/page-files.ts';
import { relativePath, resolvePath } from '../../tree/relative-path.ts';
import type { SpaceInput } from '../format.ts';
import {
  type AnchorQuestion,
  type AnchorVerdict,
  brokenFinding,
  type Finding,
  type FoundPlace,
  finding,
  type LinkRules,
  type PathResolution,
  type Resolution,
} from '../link-rules.ts';
import { type AstroRoutes, isAstroPage, isDocsPage } from './astro-routes.ts';
import type { AstroConfig } from './read-astro-config.ts';

export interface StarlightSite {
  readonly space: SpaceInput;
  readonly config: AstroConfig;
  readonly routes: AstroRoutes;
  /** Whether the host leads an address on. */
  readonly isRedirected: (address: string) => boolean;
  readonly judgeAnchor: (question: AnchorQuestion) => AnchorVerdict;
}

/**
 * How links of a Starlight site lead: Astro leaves them as written, so they are followed from the page's address.
 * Pictures of Markdown, and imports, are files beside the page.
 */
export function starlightRules(site: StarlightSite): LinkRules {
  const rules = new StarlightRules(site);
  return {
    resolve: (file, reference) => rules.resolve(file, reference),
    isPage: (path) => isPageFile(path) || /\.(?:mdx|mdoc)$/.test(path),
    indexPageOf: () => null,
    anchorsOfFolder: () => true,
    explainMissing: (resolution, _file, reference) => rules.explainMissing(resolution, reference),
    objectTo: (place, file, reference) => rules.objectTo(place, file, reference),
    judgeAnchor: site.judgeAnchor,
    otherNames: () => [],
  };
}

const BESIDE = finding('unchecked', 'The link leaves the site, to what its host holds beside it.');
const OK = finding('ok', null);

class StarlightRules {
  readonly #site: StarlightSite;

  constructor(site: StarlightSite) {
    this.#site = site;
  }

  resolve(file: RepoPath, reference: Reference): Resolution {
    const written = reference.target.trim();
    const { config, space } = this.#site;
    const parsed = parseTarget(file, reference, space.repository);
    if (written === '' || written.length > MAX_PATH_LENGTH || parsed.writtenPrefix !== '') {
      return resolveParsed(file, parsed);
    }
    if (written.startsWith('//') || schemeOf(written) !== null)
      return this.#resolveAddress(file, written, parsed);
    const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(written) ?? [];
    const link = { file, path: decode(path), parsed, tail };
    if (path === '') return this.#lead(link, [file], 'page');
    if (isFileReference(reference) && !path.startsWith('/')) return this.#resolveFile(link, reference);
    if (reference.kind === 'import' || (reference.carrier ?? '').startsWith('hero.image')) {
      return this.#resolveFile(link, reference);
    }
    if (path.startsWith('/')) {
      const address = this.#belowBase(link.path);
      if (address === null) return BESIDE;
      return this.#resolveRoute(link, address);
    }
    const own = this.#pageAddress(file);
    if (own === null) return finding('unchecked', 'The page has no address of its own.');
    const resolution = resolvePath(own, link.path);
    if (!resolution.inside && config.basePath !== '') return BESIDE;
    return this.#resolveRoute(link, resolution.inside ? resolution.path : resolution.rest);
  }

  #resolveAddress(file: RepoPath, written: string, parsed: ParsedTarget): Resolution {
    const { host } = this.#site.config;
    const address = written.startsWith('//') ? `https:${written}` : written;
    if (host === null || !/^https?:/i.test(address) || !URL.canParse(address))
      return resolveParsed(file, parsed);
    const url = new URL(address);
    const route = url.host === host ? this.#belowBase(decode(url.pathname)) : null;
    const found = route === null ? null : this.#site.routes.fileAt(trimmed(route));
    if (found === null) return resolveParsed(file, parsed);
    return {
      ...this.#lead({ file, path: '', parsed, tail: url.search + url.hash }, [found], 'page'),
      anchor: url.hash === '' ? null : decode(url.hash.slice(1)),
      write: () => null,
      writeAnchor: (name) => written.replace(/#[\s\S]*$/, () => `#${name}`),
    };
  }

  /** A picture, an import: a file of the repository, beside the page or in the source folder (`~/`, `@/`). */
  #resolveFile(link: Written, reference: Reference): Resolution {
    const { config } = this.#site;
    const aliased = aliasedPath(link.path, config);
    if (aliased !== null) {
      const [first = aliased, ...others] = withEndings(aliased, reference);
      return this.#lead(link, [first, ...others], 'none');
    }
    if (/^[~@#$]/.test(link.path)) {
      return finding('unchecked', 'The path begins with an alias that the project defines.');
    }
    if (/^[^./]/.test(link.path) && reference.kind === 'import') {
      return finding('unchecked', 'The module belongs to a package.');
    }
    if (link.path.startsWith('/')) {
      const own = pathFromRoot(config.root, link.path);
      const inPublic = `${config.publicFolder}${link.path}`;
      return this.#lead(link, [inPublic, own], 'none');
    }
    const resolution = resolvePath(link.file, link.path);
    if (!resolution.inside) return brokenFinding('outside-repository', 'The path leaves the repository.');
    const [first = resolution.path, ...others] = withEndings(resolution.path, reference);
    return this.#lead(link, [first, ...others], 'file');
  }

  #resolveRoute(link: Written, address: string): Resolution {
    const { config, routes, isRedirected } = this.#site;
    const route = trimmed(address);
    const asFile = config.asFiles ? route.replace(/\.html$/, '') : route;
    const found = routes.fileAt(route) ?? routes.fileAt(asFile);
    if (found !== null) return this.#lead(link, [found], 'page');
    const target = this.#redirectOf(route);
    if (target !== undefined) {
      const file =
        target === null || !target.startsWith('/')
          ? null
          : routes.fileAt(trimmed(this.#belowBase(target) ?? ''));
      return file === null ? OK : this.#lead(link, [file], 'page');
    }
    if (isRedirected(route) || isMadeByBuilder(route)) return OK;
    if (routes.mayBeDynamic(route)) {
      return finding('unchecked', `/${route} may be made by a page whose name has parameters.`);
    }
    if (config.basePath === null)
      return finding('unchecked', `Where the site stands on its host is not known from ${config.file}.`);
    return this.#sourceOf(link, route) ?? this.#lead(link, this.#guesses(route), 'page');
  }

  /** A link to a source file, which is published elsewhere or not at all. */
  #sourceOf(link: Written, route: string): Resolution | null {
    const { routes, space, config } = this.#site;
    const resolution = resolvePath(link.file, link.path);
    const isRooted = link.path.startsWith('/');
    const beside = isRooted || !resolution.inside ? [] : [resolution.path];
    const named = isRooted ? [`${config.contentFolder}/${route}`] : [];
    for (const path of [...beside, ...named, ...this.#guesses(route)]) {
      if (space.index.entry(path) === undefined) continue;
      const address = routes.addressOf(path);
      if (address !== null) {
        const message = `Astro leaves links to source files as they are, and ${path} is published at /${address}/.`;
        return brokenFinding('missing-page', message, this.#written(link, path));
      }
      if (isInside(path, config.contentFolder) && /\.(?:md|mdx|mdoc)$/.test(path)) {
        const why = isDocsPage(path, config) ? 'is a draft' : 'begins with “_”';
        return brokenFinding('unlisted-page', `${path} ${why}, so it is not published.`);
      }
      return brokenFinding(
        'outside-space',
        `${path} is in the repository, and Astro does not publish it at this address.`,
      );
    }
    return null;
  }

  explainMissing({ candidates: [path] }: PathResolution, reference: Reference): Finding | null {
    const { config } = this.#site;
    if (isFileReference(reference) || !isInside(path, config.contentFolder)) return null;
    if (config.generates !== null) {
      return finding(
        'unchecked',
        `The repository has no ${path}, and ${config.generates} may make it when the site is built.`,
      );
    }
    if (config.locales === null) {
      return finding(
        'unchecked',
        `The languages of the site are not known from ${config.file}, so the page may stand in for a translation.`,
      );
    }
    return null;
  }

  objectTo({ candidate, isFolder }: FoundPlace, _from: RepoPath, { kind }: Reference): Finding | null {
    if (!isFolder || kind === 'import') return null;
    return brokenFinding(
      'missing-page',
      `${candidate} is a folder, and no page is published at this address.`,
    );
  }

  #redirectOf(route: string): string | null | undefined {
    const { redirects } = this.#site.config;
    for (const [from, to] of redirects) {
      const own = trimmed(from);
      if (own === route || (own.includes('[') && fitsPattern(own, route))) return to;
    }
    return undefined;
  }

  /** The source files that would stand at an address: new, else of the folder that is missing. */
  #guesses(route: string): PathResolution['candidates'] {
    const { contentFolder, publicFolder } = this.#site.config;
    if (/\.(?!html?$)\w+$/.test(route)) return [`${publicFolder}/${route}`];
    const stem = `${contentFolder}/${route.replace(/\.html?$/, '')}`;
    return [`${stem}.mdx`, `${stem}.md`, `${stem}/index.mdx`, `${stem}/index.md`];
  }

  /** The address that a browser takes relative links from. */
  #pageAddress(file: RepoPath): string | null {
    const { routes, config } = this.#site;
    const folder = `${config.sourceFolder}/pages`;
    const address =
      routes.addressOf(file) ??
      (isAstroPage(file, config)
        ? pathInside(file, folder)
            .replace(/\.\w+$/, '')
            .replace(/(?:^|\/)index$/, '')
        : null);
    if (address === null) return null;
    if (config.trailingSlash === 'never' || config.asFiles) return address;
    return address === '' ? '' : `${address}/`;
  }

  #belowBase(path: string): string | null {
    const base = this.#site.config.basePath ?? '';
    const inside = path.replace(/^\/+/, '');
    if (base === '') return inside;
    if (trimmed(inside) === base) return '';
    return inside.startsWith(`${base}/`) ? inside.slice(base.length + 1) : null;
  }

  #lead(
    link: Written,
    candidates: PathResolution['candidates'],
    style: 'page' | 'file' | 'none',
  ): PathResolution {
    const paths = resolvePaths(link.file, link.parsed, candidates);
    return {
      ...paths,
      unencoded: style === 'file' ? paths.unencoded : [],
      wantsFolder: false,
      expects: /\.(?!html?$|mdx?$)\w+$/.test(candidates[0]) ? 'file' : 'page',
      write: (path) => {
        if (style === 'none') return null;
        // A page of another language is not what was meant.
        if (style === 'page')
          return this.#isOfLanguage(path, candidates[0]) ? this.#written(link, path) : null;
        const relative = relativePath(link.file, path);
        return (
          (link.path.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative) + link.tail
        );
      },
    };
  }

  #isOfLanguage(path: RepoPath, other: RepoPath): boolean {
    const { contentFolder, locales } = this.#site.config;
    const languageOf = (file: RepoPath) => {
      const first = isInside(file, contentFolder)
        ? (pathInside(file, contentFolder).split('/', 1)[0] ?? '')
        : '';
      return locales?.includes(first) === true ? first : '';
    };
    return languageOf(path) === languageOf(other);
  }

  /** The address of a page as the author of a link would write it. */
  #written(link: Written, path: RepoPath): string | null {
    const { routes, config } = this.#site;
    const address = isInside(path, config.publicFolder)
      ? pathInside(path, config.publicFolder)
      : routes.addressOf(path);
    if (address === null) return null;
    const isFile = /\.\w+$/.test(address) && routes.addressOf(path) === null;
    const slash = isFile || config.asFiles || config.trailingSlash === 'never' || address === '' ? '' : '/';
    const base = config.basePath ?? '';
    if (link.path.startsWith('/') || /\.mdx?$/.test(link.path)) {
      return `/${base === '' ? '' : `${base}/`}${address}${slash}${link.tail}`;
    }
    const own = this.#pageAddress(link.file);
    return own === null ? null : `${relativePath(own, address + slash) || './'}${link.tail}`;
  }
}

/** A link in the words of its author. `path` is percent-decoded. */
interface Written {
  readonly file: RepoPath;
  readonly path: string;
  readonly parsed: ParsedTarget;
  /** Query and fragment. */
  readonly tail: string;
}

/** The path of the repository that an alias of `tsconfig.json` leads to; null for a path without one. */
export function aliasedPath(path: string, { aliases }: Pick<AstroConfig, 'aliases'>): RepoPath | null {
  for (const [start, folder] of aliases) {
    if (path.startsWith(start)) return `${folder === '' ? '' : `${folder}/`}${path.slice(start.length)}`;
  }
  return null;
}

/** Whether the builder takes a path for a file beside the page. */
function isFileReference({ kind, carrier }: Reference): boolean {
  return (
    kind === 'image' ||
    kind === 'import' ||
    (kind === 'front-matter' && carrier?.startsWith('hero.image') === true)
  );
}

/** Imports may leave the ending of a module out. */
function withEndings(path: RepoPath, { kind }: Reference): readonly RepoPath[] {
  if (kind !== 'import') return [path];
  const plain = path.replace(/\?.*$/, '');
  return [
    plain,
    ...['.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.js'].map((ending) => plain + ending),
    plain.replace(/\.jsx?$/, '.ts'),
  ];
}

function isMadeByBuilder(route: string): boolean {
  return /^(?:404(?:\.html)?|sitemap(?:-index|-\d+)?\.xml|pagefind\/.*|llms(?:-full|-small)?\.txt)$/.test(
    route,
  );
}

function fitsPattern(pattern: string, route: string): boolean {
  const segments = pattern.split('/');
  const parts = route.split('/');
  for (const [at, segment] of segments.entries()) {
    if (segment.startsWith('[...')) return true;
    if (parts[at] === undefined || (!segment.includes('[') && segment !== parts[at])) return false;
  }
  return parts.length === segments.length;
}

function pathFromRoot(root: RepoPath, path: string): RepoPath {
  return (root === '' ? '' : `${root}/`) + path.replace(/^\/+/, '');
}

function trimmed(address: string): string {
  return address.split('/').filter(Boolean).join('/');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
