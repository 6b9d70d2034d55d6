import { compileGlob } from '../ignore/compile-glob.ts';
import type { RepoPath } from '../model.ts';
import type { RepositoryFiles } from './format.ts';

/** Lines of a file of redirects beyond this are passed over. */
const MAX_RULES = 5_000;

/**
 * Addresses that a host leads on, from a `_redirects` file (https://docs.netlify.com/manage/routing/redirects/overview/):
 * a path, which may end with `*`, and where it goes. Catch-alls of the whole site say nothing of a page, and are left out.
 */
export function readRedirects(
  repository: RepositoryFiles,
  files: readonly RepoPath[],
): (address: string) => boolean {
  const plain = new Set<string>();
  const patterns: ((text: string) => boolean)[] = [];
  for (const file of files) {
    for (const line of (repository.text(file) ?? '').split(/\r?\n/, MAX_RULES)) {
      const [from, to] = line.trim().split(/\s+/);
      if (from === undefined || to === undefined || !from.startsWith('/') || /^\/\*/.test(from)) continue;
      if (from.includes('*')) patterns.push(compileGlob(from.replaceAll('*', '**')));
      else plain.add(withoutEnding(from));
    }
  }
  return (address) => plain.has(withoutEnding(address)) || patterns.some((fits) => fits(address));
}

function withoutEnding(address: string): string {
  return address.replace(/(?:\/|\.html|\/index\.html)$/, '') || '/';
}
