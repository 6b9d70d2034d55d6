import { MAX_PATH_LENGTH } from '../../limits.ts';
import { type ParsedTarget, parseTarget } from '../../links/parse-target.ts';
import { resolveParsed, resolvePaths } from '../../links/resolve-parsed.ts';
import { schemeOf } from '../../links/schemes.ts';
import { writeTarget } from '../../links/write-target.ts';
import type { Reference, RepoPath } from '../../model.ts';
import { isInside, isPageFile, pathInside } from '../../tree/page-files.ts';
import { folderOf, relativePath, resolvePath } from '../../tree/relative-path.ts';
import type { FilesRead, SpaceInput } from '../format.ts';
import {
  brokenFinding,
  type Finding,
  type FoundPlace,
  finding,
  type LinkRules,
  type PathResolution,
  type Resolution,
} from '../link-rules.ts';
import { type Anchors, anchorsOfPages } from './page-anchors.ts';
import { isMkdocsPage, type PublishedSite, publishedAddress } from './published-site.ts';
import type { MkdocsConfig } from './read-config.ts';

/**
 * How links of MkDocs' pages lead. Markdown's links to source files become addresses (MkDocs, user guide, “Writing
 * your docs”); all others, and those in HTML, stay as written and are followed from the page's address.
 */
export function mkdocsRules(
  space: SpaceInput,
  config: MkdocsConfig,
  site: PublishedSite,
  files: FilesRead,
): LinkRules {
  const rules = new MkdocsRules(space, config, site, anchorsOfPages(config, files));
  return {
    resolve: (file, reference) => rules.resolve(file, reference),
    isPage: (path) => isMkdocsPage(path) || isPageFile(path),
    indexPageOf: (folder) => site.fileAt(rules.addressOfFolder(folder)),
    anchorsOfFolder: () => true,
    explainMissing: (resolution) => rules.explainMissing(resolution),
    objectTo: (place, file, reference) => rules.objectTo(place, file, reference),
    judgeAnchor: (question) => rules.anchors.judge(question),
    otherNames: otherNames,
  };
}

class MkdocsRules {
  readonly #space: SpaceInput;
  readonly #config: MkdocsConfig;
  readonly #site: PublishedSite;
  readonly #docs: RepoPath;
  readonly anchors: Anchors;

  constructor(space: SpaceInput, config: MkdocsConfig, site: PublishedSite, anchors: Anchors) {
    this.#space = space;
    this.#config = config;
    this.#site = site;
    this.#docs = config.docsFolder ?? '';
    this.anchors = anchors;
  }

  resolve(file: RepoPath, reference: Reference): Resolution {
    const written = reference.target.trim();
    if (/\{\{|\{%/.test(written)) {
      return finding('unchecked', 'The destination is made by a template when the site is built.');
    }
    if (reference.kind === 'block') return this.#resolveInclude(file, reference);
    const parsed = parseTarget(file, reference, this.#space.repository);
    if (written === '' || written.length > MAX_PATH_LENGTH || parsed.writtenPrefix !== '') {
      return resolveParsed(file, parsed);
    }
    if (written.startsWith('//') || schemeOf(written) !== null)
      return this.#resolveAddress(file, written, parsed);
    const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(written) ?? [];
    const link = { file, path: decode(path), parsed, tail };
    if (path === '') return this.#lead(link, [file], 'address');
    const isRewritten = reference.kind !== 'html-link' && reference.kind !== 'html-image';
    if (path.startsWith('/') && !(isRewritten && this.#config.absoluteFromDocs)) {
      return this.#resolveRooted(link, link.path);
    }
    const source = isRewritten ? this.#sourceOf(link) : null;
    if (source !== null && (this.#site.addressOf(source) !== null || this.#site.isBehindSymlink(source))) {
      return this.#lead(link, [source], 'source');
    }
    const address = this.#fromPage(file, link.path);
    const found = address === null ? null : this.#site.fileAt(address);
    if (found !== null) return this.#lead(link, [found], isRewritten ? 'source' : 'address');
    const isLost = address === null && this.#config.basePath !== '';
    if (isLost && !(isRewritten && isMkdocsPage(path)) && (source === null || !this.#space.index.has(source)))
      return BESIDE;
    if (address !== null && isMadeByBuilder(address)) return MADE;
    const guesses = address === null ? [] : this.#guesses(address);
    if (source === null && isRewritten)
      return brokenFinding('outside-repository', 'The path leaves the repository.');
    const fallback = address === null ? this.#docs : this.#inDocs(address.replace(/\/$/, ''));
    return this.#lead(link, [source ?? fallback, ...guesses], isRewritten ? 'source' : 'address');
  }

  /** An address of the site itself counts as a path of the site. */
  #resolveAddress(file: RepoPath, written: string, parsed: ParsedTarget): Resolution {
    const { host, basePath } = this.#config;
    const address = written.startsWith('//') ? `https:${written}` : written;
    if (host === null || basePath === null || !/^https?:/i.test(address) || !URL.canParse(address)) {
      return resolveParsed(file, parsed);
    }
    const url = new URL(address);
    const inSite = url.host === host ? this.#belowBase(decode(url.pathname)) : null;
    const found = inSite === null ? null : this.#site.fileAt(inSite);
    if (found === null) return resolveParsed(file, parsed);
    const link = { file, path: '', parsed, tail: url.search + url.hash };
    return {
      ...this.#lead(link, [found], 'address'),
      anchor: url.hash === '' ? null : decode(url.hash.slice(1)),
      write: () => null,
      writeAnchor: (name) => written.replace(/#[\s\S]*$/, () => `#${name}`),
    };
  }

  /** A path from the root of the host. */
  #resolveRooted(link: Written, path: string): Resolution {
    const { basePath } = this.#config;
    const address = this.#belowBase(path);
    const found = address === null ? null : this.#site.fileAt(normalised(address));
    if (found !== null) return this.#lead(link, [found], 'rooted');
    if (address !== null && isMadeByBuilder(address)) return MADE;
    const source = this.#inDocs(normalised(path.replace(/^\/+/, '')));
    const isSource = this.#site.addressOf(source) !== null;
    if (isSource && isMkdocsPage(source)) {
      const message = `${source} is published at another address: MkDocs leaves links that begin with a slash as they are.`;
      return brokenFinding('missing-page', message, relativePath(link.file, source) + link.tail);
    }
    if (basePath === null) {
      return finding(
        'unchecked',
        'The configuration has no site_url, so where links that begin with a slash lead is not known.',
      );
    }
    if (address === null) return BESIDE;
    return this.#lead(
      link,
      [this.#inDocs(normalised(address).replace(/\/$/, '')), ...this.#guesses(address)],
      'rooted',
    );
  }

  #resolveInclude(file: RepoPath, reference: Reference): Resolution {
    const folders = this.#config.snippetFolders;
    if (/^https?:/i.test(reference.target))
      return finding('unchecked', 'The included text stands outside the repository.');
    if (folders === null) return finding('unchecked', 'The folders of included files are not known.');
    const path = reference.target.replace(/(?::-?\d*){1,3}$|:[\w-]+$/, '');
    const candidates = folders.flatMap((folder) => {
      const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path);
      return resolution.inside ? [resolution.path] : [];
    });
    const [first, ...others] = candidates;
    if (first === undefined) return brokenFinding('outside-repository', 'The path leaves the repository.');
    const parsed = parseTarget(file, { kind: 'block', target: path });
    return {
      ...resolvePaths(file, parsed, [first, ...others], null),
      wantsFolder: false,
      expects: 'file',
      write: () => null,
    };
  }

  explainMissing(resolution: PathResolution): Finding | null {
    const { generates } = this.#config;
    const [path] = resolution.candidates;
    if (isInside(path, this.#docs) && isOfTheme(pathInside(path, this.#docs))) {
      return finding('unchecked', `The repository has no ${path}; the theme may bring it.`);
    }
    if (generates === null || !isInside(path, this.#docs)) return null;
    return finding(
      'unchecked',
      `The repository has no ${path}, and ${generates} may make it when the site is built.`,
    );
  }

  objectTo({ candidate, file, isFolder }: FoundPlace, from: RepoPath, reference: Reference): Finding | null {
    if (
      reference.kind === 'block' ||
      parseTarget(from, reference, this.#space.repository).writtenPrefix !== ''
    )
      return null;
    if (this.#site.addressOf(candidate) !== null || this.#site.isBehindSymlink(candidate)) return null;
    if (isFolder) {
      const suggestion = file === null ? null : relativePath(from, file);
      return brokenFinding(
        'missing-page',
        `${show(candidate)} is a folder, and no page is published at this address.`,
        suggestion,
      );
    }
    if (!isInside(candidate, this.#docs)) {
      return brokenFinding(
        'outside-space',
        `${candidate} is not in ${show(this.#docs)}, so MkDocs does not publish it.`,
      );
    }
    return brokenFinding('unlisted-page', `${candidate} is excluded from the site by ${this.#config.file}.`);
  }

  addressOfFolder(folder: RepoPath): string {
    return folder === this.#docs
      ? ''
      : isInside(folder, this.#docs)
        ? `${pathInside(folder, this.#docs)}/`
        : '\0';
  }

  /** The source file that a Markdown link names; null when it leaves the repository. */
  #sourceOf({ file, path }: Written): RepoPath | null {
    if (path.startsWith('/')) return this.#inDocs(normalised(path.replace(/^\/+/, '')));
    const resolution = resolvePath(file, path);
    return resolution.inside ? resolution.path : null;
  }

  /** Where a browser goes from a page; null when that is above the site. */
  #fromPage(file: RepoPath, path: string): string | null {
    const own =
      this.#site.addressOf(file) ??
      publishedAddress(pathInside(file, this.#docs), this.#config.directoryUrls);
    const resolution = resolvePath(own, path);
    if (!resolution.inside) {
      return this.#config.basePath === '' ? resolution.rest : null;
    }
    return resolution.endsWithSlash && resolution.path !== '' ? `${resolution.path}/` : resolution.path;
  }

  #belowBase(path: string): string | null {
    const base = this.#config.basePath ?? '';
    const inside = path.replace(/^\/+/, '');
    if (base === '') return inside;
    if (inside === base) return '';
    return inside.startsWith(`${base}/`) ? inside.slice(base.length + 1) : null;
  }

  /** Source files that would stand at an address, so that one that was renamed is found. */
  #guesses(address: string): RepoPath[] {
    const stem = this.#inDocs(address.replace(/(?:\/index\.html|\.html|\/)$/, ''));
    const guesses = /\.\w+$/.test(stem) ? [] : [`${stem}.md`, `${stem}/index.md`, `${stem}/README.md`];
    return guesses.filter((path) => this.#space.index.entry(path) === undefined);
  }

  #inDocs(path: string): RepoPath {
    return this.#docs === '' ? path : path === '' ? this.#docs : `${this.#docs}/${path}`;
  }

  #lead(
    link: Written,
    candidates: PathResolution['candidates'],
    style: 'source' | 'address' | 'rooted',
  ): PathResolution {
    const { file, parsed } = link;
    const paths = resolvePaths(file, parsed, candidates);
    return {
      ...paths,
      unencoded: style === 'source' ? paths.unencoded : [],
      wantsFolder: false,
      expects: /\.(?!html?$|md$)\w+$/.test(link.path) ? 'file' : 'page',
      write: (path, { tail = link.tail } = {}) => {
        const address = this.#site.addressOf(path);
        if (address === null) return null;
        if (style === 'source' && !parsed.writtenPath.startsWith('/')) {
          return writeTarget(file, { ...parsed, wantsFolder: false }, path, tail);
        }
        const shown = this.#config.directoryUrls ? address.replace(/(^|\/)index\.html$/, '$1') : address;
        if (style === 'address')
          return (relativePath(this.#site.addressOf(file) ?? '', shown) || './') + tail;
        if (style === 'source') return `/${pathInside(path, this.#docs)}${tail}`;
        const base = this.#config.basePath ?? '';
        return `/${base === '' ? '' : `${base}/`}${shown}${tail}`;
      },
    };
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

const MADE = finding('ok', null);
const BESIDE = finding('unchecked', 'The link leaves the site, to what its host holds beside it.');

/** Files that MkDocs adds to every site. */
function isMadeByBuilder(address: string): boolean {
  return /^(?:404\.html|sitemap\.xml(?:\.gz)?|search\.html|search\/.*|objects\.inv)$/.test(address);
}

/** Files of the themes that MkDocs and Material for MkDocs come with, which are published beside the pages. */
function isOfTheme(path: string): boolean {
  return /^(?:css\/(?:base|theme|bootstrap)\b.*|js\/(?:base|theme|bootstrap)\b.*|img\/(?:favicon\.ico|grid\.png)|webfonts\/.*|assets\/(?:images\/favicon\.png|javascripts\/.*|stylesheets\/.*))$/.test(
    path,
  );
}

function otherNames(path: RepoPath): readonly RepoPath[] {
  const stem = path
    .replace(/\/$/, '')
    .replace(/\.html?$/i, '')
    .replace(/\.md$/, '');
  if (stem === '' || folderOf(`${stem}/x`) === '') return [];
  return [`${stem}.md`, `${stem}/index.md`, `${stem}/README.md`].filter((one) => one !== path);
}

/** Without `.` and `..`, which browsers and MkDocs take out. */
function normalised(path: string): string {
  const resolution = resolvePath('x', path);
  const inside = resolution.inside ? resolution.path : resolution.rest;
  return path.endsWith('/') && inside !== '' ? `${inside}/` : inside;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function show(path: RepoPath): string {
  return path === '' ? 'The repository’s root' : path;
}
