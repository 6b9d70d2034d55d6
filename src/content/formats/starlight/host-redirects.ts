import type { RepoPath } from '../../model.ts';
import type { RepositoryFiles } from '../format.ts';

const MAX_RULES = 5_000;

/**
 * Whether the host leads an address on, by a `_redirects` file of the public folder
 * (https://docs.netlify.com/manage/routing/redirects/redirect-options/): `*` stands for all that follows, `:name` for one
 * segment. Lines that only say what is shown for missing pages (404) do not count, nor those that take all addresses.
 */
export function readHostRedirects(repository: RepositoryFiles, file: RepoPath): (address: string) => boolean {
  const plain = new Set<string>();
  const patterns: (readonly string[])[] = [];
  for (const line of (repository.text(file) ?? '').split(/\r?\n/, MAX_RULES)) {
    const [from, to, ...rest] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (
      from === undefined ||
      to === undefined ||
      !from.startsWith('/') ||
      rest.some((one) => /^404/.test(one))
    )
      continue;
    const segments = from.split('/').filter(Boolean);
    if (segments.every((one) => one === '*')) continue;
    if (/[*:]/.test(from)) patterns.push(segments);
    else plain.add(segments.join('/'));
  }
  return (address) => {
    if (plain.has(address)) return true;
    const parts = address.split('/');
    return patterns.some((pattern) => fits(pattern, parts));
  };
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  for (const [at, segment] of pattern.entries()) {
    if (segment === '*') return true;
    const part = parts[at];
    if (part === undefined || (!segment.startsWith(':') && segment !== part)) return false;
  }
  return parts.length === pattern.length;
}
