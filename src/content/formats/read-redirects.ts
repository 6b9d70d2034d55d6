import type { RepositoryFiles } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { compileGlob } from '../text/index.ts';
import { joinPath } from './folder-paths.ts';
import type { RedirectRule } from './redirect-rules.ts';
import { asRecord, valueUnder } from './untyped-values.ts';

/** Redirects of one file beyond this number are ignored. */
const MAX_RULES = 5_000;

/**
 * Returns whether a host redirects an address, whose path in the files may end with `*` or contain `:name`. Reads
 * `_redirects` and `netlify.toml` (https://docs.netlify.com/manage/routing/redirects/overview/), and `vercel.json`
 * (https://vercel.com/docs/project-configuration#redirects). Rules for missing pages and catch-alls of the whole site are
 * left out, because they do not mean that a page exists.
 */
export function readRedirects(
  repository: RepositoryFiles,
  files: readonly RepoPath[],
): (address: string) => boolean {
  const plain = new Set<string>();
  const patterns: ((text: string) => boolean)[] = [];
  for (const { from } of rulesIn(repository, files)) {
    if (/[*:(]/.test(from)) patterns.push(compileGlob(asGlob(withoutEnding(from))));
    else plain.add(withoutEnding(from));
  }
  return (address) => {
    const bare = withoutEnding(address);
    return plain.has(bare) || patterns.some((matches) => matches(bare) || matches(address));
  };
}

/** The redirects of these files that lead to an address, without those that show another page at the same one. */
export function readHostRedirects(
  repository: RepositoryFiles,
  files: readonly RepoPath[],
): readonly RedirectRule[] {
  return rulesIn(repository, files).flatMap(({ from, to, isShown }) =>
    to === null || isShown ? [] : [{ from, to }],
  );
}

interface HostRule {
  readonly from: string;
  readonly to: string | null;
  /** Whether the host shows what is there, without leading to it. */
  readonly isShown: boolean;
}

function rulesIn(repository: RepositoryFiles, files: readonly RepoPath[]): readonly HostRule[] {
  return files.flatMap((file) => {
    return sourcesIn(repository, file)
      .slice(0, MAX_RULES)
      .filter(({ from }) => from.startsWith('/') && !isCatchAll(from));
  });
}

/**
 * The files in which common hosts configure redirects, in the site's public folder, the repository's root and `folder`.
 */
export function redirectFiles(publicFolder: RepoPath, folder: RepoPath): readonly RepoPath[] {
  const names = ['netlify.toml', 'vercel.json', '_redirects'];
  return [
    joinPath(publicFolder, '_redirects'),
    ...new Set(['', folder].flatMap((candidate) => names.map((name) => joinPath(candidate, name)))),
  ];
}

function sourcesIn(repository: RepositoryFiles, file: RepoPath): readonly HostRule[] {
  if (file.endsWith('.toml')) return sourcesInNetlify(repository.toml(file)?.values);
  const text = repository.text(file);
  if (text === null) return [];
  if (file.endsWith('.json')) return sourcesInVercel(text);
  return text.split(/\r?\n/, MAX_RULES).flatMap((line) => {
    const [from, to, ...rest] = line
      .replace(/\s#.*$/, '')
      .trim()
      .split(/\s+/);
    const isForMissing = rest.some((candidate) => /^404/.test(candidate));
    if (from === undefined || to === undefined || from.startsWith('#') || isForMissing) return [];
    return [{ from, to, isShown: rest.some((candidate) => /^200/.test(candidate)) }];
  });
}

function sourcesInNetlify(values: unknown): readonly HostRule[] {
  const rules = valueUnder(values, 'redirects');
  return (Array.isArray(rules) ? rules : []).flatMap((rule: unknown) => {
    const from = valueUnder(rule, 'from');
    const [to, status] = [valueUnder(rule, 'to'), valueUnder(rule, 'status')];
    if (typeof from !== 'string' || status === 404) return [];
    return [{ from, to: typeof to === 'string' ? to : null, isShown: status === 200 }];
  });
}

function sourcesInVercel(text: string): readonly HostRule[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const { redirects, rewrites } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [redirects, rewrites].flatMap((list) =>
    (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
      const { source, destination } = asRecord(item);
      if (typeof source !== 'string') return [];
      const to = typeof destination === 'string' ? destination : null;
      return [{ from: source, to, isShown: list === rewrites }];
    }),
  );
}

function isCatchAll(from: string): boolean {
  return /^\/(?:\*|:\w+[*+]|\([^()]*\)|:\w+\([^()]*\)[*+]?)\/?$/.test(from);
}

/** Translates a path: `:name*`, `(.*)` and `*` match any path, `:name` matches one part of it. */
function asGlob(from: string): string {
  return from
    .replace(/:\w+\(\.\*\)|:\w+[*+]|\(\.\*\)|\*+/g, '**')
    .replace(/:\w+(?:\([^()]{0,200}\))?\??/g, '*')
    .replace(/\([^()]{0,200}\)/g, '*');
}

function withoutEnding(address: string): string {
  return address.replace(/(?:\/|\.html|\/index\.html)$/, '') || '/';
}
