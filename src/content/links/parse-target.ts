import type { Reference, RepoPath, RepositoryAddress, Target } from '../model/index.ts';
import { decodePercent } from '../text/index.ts';
import { resolvePath } from '../tree/index.ts';
import { isHostPage, readOwnAddress } from './host-address.ts';
import { OUTSIDE_SCHEMES, schemeOf } from './schemes.ts';

/** A target and its written form, for suggestions in the same style. */
export interface ParsedTarget {
  readonly target: Target;
  /** The part before the path in an address of the repository itself; empty for plain paths. */
  readonly writtenPrefix: string;
  /** The written path before `?` and `#`, still percent-encoded; empty for a bare fragment and for addresses. */
  readonly writtenPath: string;
  /** The rest after the path as written: query and fragment with `?` and `#`. */
  readonly writtenTail: string;
  /** The path ends with a slash, so only a folder can be meant. */
  readonly wantsFolder: boolean;
  /** The fragment as written, without `#`; null when there is none. */
  readonly fragment: string | null;
}

/** Parses where a reference points, as a browser would on the host's page of `file`. Does not use the tree. */
export function parseTarget(
  file: RepoPath,
  reference: Pick<Reference, 'target' | 'kind'>,
  repository?: RepositoryAddress,
): ParsedTarget {
  // Browsers remove line breaks and tabs from an address.
  const written = reference.target.trim().replace(/[\t\n\r]/g, '');
  if (written === '') return invalid('empty-target', 'The link has no destination.');
  if (written.startsWith('//')) return outside(`https:${written}`);
  if (BRACKETED.test(written))
    return invalid('invalid-url', 'Browsers read the angle brackets as part of the address: leave them out.');
  const scheme = schemeOf(written);
  if (scheme !== null) return parseAddress(file, written, scheme, reference.kind, repository);
  return parsePath(file, written);
}

/** An address as it stands alone in Markdown, written where an address is expected. */
const BRACKETED = /^<[a-z][a-z\d+.-]{1,30}:[^<>]*>$/i;

/** The tab of a document that the host shows in the place of the README: `MIT-1-ov-file`, of the licence. */
const SHOWN_BESIDE_README = /^(?!readme-)[\w.-]{1,60}-ov-file$/i;

function parseAddress(
  file: RepoPath,
  written: string,
  scheme: string,
  kind: Reference['kind'],
  repository: RepositoryAddress | undefined,
): ParsedTarget {
  if (!OUTSIDE_SCHEMES.has(scheme)) {
    // Text between angle brackets may resemble an address (`<std::string>`, `<foo:bar>`) without being meant as a link.
    if (kind === 'autolink' || !isMistake(scheme)) return outside(written);
    return invalid('invalid-url', `“${scheme}:” is not a scheme that leads anywhere for readers.`);
  }
  if (scheme !== 'http' && scheme !== 'https') return outside(written);
  const url = /^https?:\/\//i.test(written) ? parseUrl(written) : null;
  if (url === null) {
    if (kind === 'autolink') return outside(written);
    return invalid('invalid-url', 'The address cannot be read as a web address.');
  }
  const own = repository === undefined ? null : readOwnAddress(written, url, repository);
  const isBesideReadme = own !== null && SHOWN_BESIDE_README.test(url.searchParams.get('tab') ?? '');
  return own === null || isBesideReadme
    ? outside(written)
    : { ...parsePath(file, own.path), writtenPrefix: own.prefix };
}

/** Whether a scheme is the drive of a Windows path, or a mistyped `http` or `https`. */
function isMistake(scheme: string): boolean {
  return /^.$/.test(scheme) || MISTYPED_HTTP.test(scheme);
}

const MISTYPED_HTTP =
  /^(?:h{0,3}t{1,3}ps?|ht{0,3}ps{0,3}|h+tt+p+s*|hp?ttps?|htt?sp?|https?[a-z]|.https?|h[a-z]tps?|ht[a-z]ps?|htt[a-z]s?)$/;

function parsePath(file: RepoPath, written: string): ParsedTarget {
  const [, path = '', query = '', hash] = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(written) ?? [];
  const fragment = hash === undefined ? null : hash.slice(1);
  const asWritten = { writtenPrefix: '', writtenPath: path, writtenTail: query + (hash ?? ''), fragment };
  const anchor = fragment === null ? null : decodeFragment(fragment);
  if (path === '') {
    return { target: { kind: 'path', path: file, anchor }, wantsFolder: false, ...asWritten };
  }
  const decoded = decodePercent(path);
  if (decoded.includes('\0')) return invalid('invalid-url', 'The path holds a NUL character.');
  const resolution = resolvePath(file, decoded);
  if (resolution.inside) {
    const { path: resolved, endsWithSlash: wantsFolder } = resolution;
    return { target: { kind: 'path', path: resolved, anchor }, wantsFolder, ...asWritten };
  }
  if (isHostPage(resolution.levelsAbove, resolution.rest)) return outside(written);
  return invalid('outside-repository', 'The path leaves the repository.');
}

/** The fragment decoded once, without a text directive (`:~:text=…`), which only scrolls. */
export function decodeFragment(fragment: string): string {
  const directive = fragment.indexOf(':~:');
  const name = directive === -1 ? fragment : fragment.slice(0, directive);
  return decodePercent(name).replaceAll('\0', '\u{fffd}');
}

function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

function outside(url: string): ParsedTarget {
  return withoutPath({ kind: 'url', url });
}

function invalid(rule: 'empty-target' | 'invalid-url' | 'outside-repository', message: string): ParsedTarget {
  return withoutPath({ kind: 'invalid', rule, message });
}

function withoutPath(target: Target): ParsedTarget {
  return { target, writtenPrefix: '', writtenPath: '', writtenTail: '', wantsFolder: false, fragment: null };
}
