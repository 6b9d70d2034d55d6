import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { readRedirects } from '../read-redirects.ts';
import { asList, asRecord } from '../untyped-values.ts';

/** Which pages that are not there a host of sites still leads somewhere. */
export interface RedirectedPages {
  /** Changes with the files that say so. */
  readonly key: string;
  /** Returns the file that redirects the page; null where none does. */
  redirectOf(path: RepoPath): RepoPath | null;
}

const HOST_FILES = ['_redirects', 'netlify.toml', 'vercel.json'];

/** Of Microsoft Learn: https://learn.microsoft.com/en-us/contribute/content/how-to-write-overview */
const LEARN_FILES = ['.openpublishing.redirection.json'];

/** Names others of them, in `redirection_files`. */
const LEARN_SETTINGS = ['.openpublishing.publish.config.json'];

/** Modules and data that the settings of a site take its redirects from. */
const SITE_FILES = ['redirects', 'redirect'].flatMap((name) =>
  ['json', 'js', 'mjs', 'cjs', 'ts', 'mts'].map((ending) => `${name}.${ending}`),
);

const MAX_FILES = 20;

/** Where a site publishes a file is not known, so the end of its path must be that of an address, with so many names. */
const MIN_NAMES = 2;

/** Reads the redirects of a repository. */
export function readRedirectedPages(space: SpaceInput): RedirectedPages {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => space.index.named(name)).slice(0, MAX_FILES);
  const hosts = named(HOST_FILES).map((file) => ({ file, leads: readRedirects(space, [file]) }));
  const settings = named(LEARN_SETTINGS);
  const further = settings.flatMap((file) => redirectionFiles(file, space.text(file) ?? ''));
  const learn = [...new Set([...named(LEARN_FILES), ...further])].slice(0, MAX_FILES).map((file) => ({
    file,
    sources: sourcesIn(file, space.text(file) ?? ''),
  }));
  const sites = named(SITE_FILES).map((file) => ({ file, sources: addressesIn(space.text(file) ?? '') }));
  return {
    key: [...hosts, ...learn, ...sites, ...settings.map((file) => ({ file }))]
      .map(({ file }) => space.index.entry(file)?.oid)
      .join(' '),
    redirectOf(path) {
      const exact = learn.find(({ sources }) => sources.has(path.toLowerCase()));
      if (exact !== undefined) return exact.file;
      const addresses = addressesLike(path);
      const own = sites.find(({ sources }) => addresses.some((address) => sources.has(address)));
      if (own !== undefined) return own.file;
      return hosts.find(({ leads }) => addresses.some(leads))?.file ?? null;
    },
  };
}

/** The addresses at which a site may publish a page: where its folders begin is not known. */
export function addressesLike(path: RepoPath): readonly string[] {
  const names = path.replace(/(?:\/(?:README|index))?\.\w+$/i, '').split('/');
  return names.slice(0, 1 - MIN_NAMES).map((_, at) => `/${names.slice(at).join('/')}`);
}

function redirectionFiles(file: RepoPath, text: string): readonly RepoPath[] {
  const files = asList(asRecord(parseJson(text))['redirection_files']);
  return files.flatMap((name: unknown) => (typeof name === 'string' ? joinPath(folderOf(file), name) : []));
}

/** An address that is led elsewhere, as settings of common sites write it. */
const SOURCE = /["']?\b(?:source|from|src|old)["']?\s{0,5}:\s{0,5}["'`](\/[^"'`\s]{1,300})["'`]/g;

function addressesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(SOURCE)].map(([, address = '']) => address.replace(/(?:\/|\.html)$/, '')));
}

/** In small letters, as the host compares them. The files of `source_path` are beside the file with the redirects, those of `source_path_from_root` anywhere. */
function sourcesIn(file: RepoPath, text: string): ReadonlySet<RepoPath> {
  const { redirections } = asRecord(parseJson(text));
  const folder = folderOf(file);
  const paths = asList(redirections).flatMap((item: unknown) => {
    const { source_path: own, source_path_from_root: absolute } = asRecord(item);
    if (typeof absolute === 'string') return [absolute.replace(/^\//, '')];
    if (typeof own !== 'string') return [];
    const source = resolvePath(joinPath(folder, 'x'), own);
    return source.inside ? [source.path] : [];
  });
  return new Set(paths.map((path) => path.toLowerCase()));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
