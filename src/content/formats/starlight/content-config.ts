import type { RepositoryFiles } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';

/** What the configuration of Astro's content collections says of Starlight's pages. */
export interface ContentConfig {
  /** The folder of the pages below the project's, as written; null for Starlight's own. */
  readonly base: string | null;
  /** What names the pages in a way that only running it tells, in words; null when nothing does. */
  readonly names: string | null;
}

const NAMES = ['content.config', 'content/config'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((ending) => `${name}.${ending}`),
);

/** What follows `docs:` in the file is looked at so far. */
const MAX_LENGTH = 3_000;

/**
 * Reads the collection `docs` from the text of `src/content.config.*`: its loader may take pages from another folder
 * (`glob({ base: './docs' })`) and name them by a function (`generateId`). See Astro's content collections and
 * Starlight's manual setup.
 */
export function readContentConfig(sourceFolder: RepoPath, repository: RepositoryFiles): ContentConfig {
  const file = NAMES.map((name) => `${sourceFolder === '' ? '' : `${sourceFolder}/`}${name}`).find(
    (path) => repository.index.entry(path) !== undefined,
  );
  const text = file === undefined ? null : repository.text(file);
  if (file === undefined || text === null) return { base: null, names: null };
  // Patterns of files (`**/*.md`) hold what looks like comments.
  const plain = text.replace(/(?<=^|\s)(?:\/\*[\s\S]{0,2000}?\*\/|\/\/[^\n]*)/g, '');
  const start = plain.search(/\bdocs\s{0,20}[:=]/);
  const docs = start === -1 ? plain.slice(0, MAX_LENGTH) : ownPart(plain.slice(start, start + MAX_LENGTH));
  if (/\bgenerateId\b/.test(docs)) return { base: null, names: `“generateId” of ${file}` };
  const loader = /\bloader\s{0,20}:\s{0,20}([\w$.]{1,100})\s{0,20}\(/.exec(docs)?.[1] ?? 'docsLoader';
  if (loader === 'docsLoader') return { base: null, names: null };
  const base = /\bbase\s{0,20}:\s{0,20}['"]([^'"\n]{1,300})['"]/.exec(docs)?.[1];
  if (loader === 'glob' && base !== undefined) return { base, names: null };
  return { base: null, names: `the loader “${loader}” of ${file}` };
}

/** Up to where the next collection is defined. */
function ownPart(text: string): string {
  const second = [...text.matchAll(/\bdefineCollection\s{0,20}\(/g)][1]?.index;
  return second === undefined ? text : text.slice(0, second);
}
