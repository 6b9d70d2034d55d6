import type { FilesRead } from '../format-port/index.ts';
import type { FileFacts, RepoPath, TreeEntry } from '../model/index.ts';
import { plainAddress } from './redirect-rules.ts';

/** Keys with the addresses that a page had before: of Jekyll's plugin and those like it, and of Hugo. */
const KEYS = ['redirect_from', 'aliases'];

/** Of one page. */
const MAX_ADDRESSES = 100;

/**
 * The former addresses that pages name in their front matter, with the files of the pages
 * (https://github.com/jekyll/jekyll-redirect-from, https://gohugo.io/content-management/urls/#aliases).
 */
export function frontMatterRedirects(
  entries: readonly TreeEntry[],
  files: FilesRead,
  isPage: (path: RepoPath) => boolean,
): ReadonlyMap<string, RepoPath> {
  const table = files.table<string>('former addresses', function* ({ path }) {
    if (isPage(path)) for (const address of formerAddressesIn(files.facts(path))) yield [KEY, address];
  });
  const known = new Set(entries.map(({ path }) => path));
  return new Map(
    table
      .rows(KEY)
      .filter(({ file }) => known.has(file))
      .map(({ file, value }) => [value, file]),
  );
}

const KEY = 'addresses';

/** The former addresses in the front matter of one page, without slashes around them. */
export function formerAddressesIn(facts: FileFacts | undefined): readonly string[] {
  const values = facts?.frontMatter ?? {};
  return KEYS.flatMap((key) => values[key])
    .slice(0, MAX_ADDRESSES)
    .flatMap((address) =>
      typeof address === 'string' && address.startsWith('/') ? [plainAddress(address)] : [],
    );
}
