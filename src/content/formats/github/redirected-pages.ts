import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf } from '../../tree/index.ts';
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

const MAX_FILES = 20;

/** Where a site publishes a file is not known, so the end of its path must be that of an address, with so many names. */
const MIN_NAMES = 2;

/** Reads the redirects of a repository. */
export function readRedirectedPages(space: SpaceInput): RedirectedPages {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => space.index.named(name)).slice(0, MAX_FILES);
  const hosts = named(HOST_FILES).map((file) => ({ file, leads: readRedirects(space, [file]) }));
  const learn = named(LEARN_FILES).map((file) => ({
    file,
    sources: sourcesIn(file, space.text(file) ?? ''),
  }));
  return {
    key: [...hosts, ...learn].map(({ file }) => space.index.entry(file)?.oid).join(' '),
    redirectOf(path) {
      const exact = learn.find(({ sources }) => sources.has(path));
      if (exact !== undefined) return exact.file;
      const addresses = addressesLike(path);
      return hosts.find(({ leads }) => addresses.some(leads))?.file ?? null;
    },
  };
}

/** The addresses at which a site may publish a page: where its folders begin is not known. */
export function addressesLike(path: RepoPath): readonly string[] {
  const names = path.replace(/(?:\/(?:README|index))?\.\w+$/i, '').split('/');
  return names.slice(0, 1 - MIN_NAMES).map((_, at) => `/${names.slice(at).join('/')}`);
}

/** The files of `source_path` are beside the file with the redirects, those of `source_path_from_root` anywhere. */
function sourcesIn(file: RepoPath, text: string): ReadonlySet<RepoPath> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Set();
  }
  const { redirections } = asRecord(value);
  const folder = folderOf(file);
  const paths = asList(redirections).flatMap((item: unknown) => {
    const { source_path: own, source_path_from_root: absolute } = asRecord(item);
    if (typeof absolute === 'string') return [absolute.replace(/^\//, '')];
    return typeof own === 'string' ? [folder === '' ? own : `${folder}/${own}`] : [];
  });
  return new Set(paths);
}
