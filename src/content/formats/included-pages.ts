import type { FileFacts, Reference, RepoPath } from '../model.ts';
import type { FilesRead } from './format.ts';

/** No page takes in more files than this, however they include each other. */
const MAX_PARTS = 1_000;

/** The destinations of a file's includes, which decide what pages take in. */
export function includeTargets({ references }: FileFacts): readonly string[] {
  return references.flatMap(({ carrier, target }) => (carrier === 'include' ? [target] : []));
}

/** Which Markdown files each page takes in by references whose carrier is `include`, at any depth. */
export class IncludedPages {
  readonly #files: FilesRead;
  readonly #resolve: (file: RepoPath, reference: Reference) => RepoPath | null;
  readonly #known = new Map<RepoPath, readonly RepoPath[]>();

  constructor(files: FilesRead, resolve: (file: RepoPath, reference: Reference) => RepoPath | null) {
    this.#files = files;
    this.#resolve = resolve;
  }

  pathsIn(page: RepoPath): readonly RepoPath[] {
    let paths = this.#known.get(page);
    if (paths === undefined) {
      const found = new Set<RepoPath>();
      const open = [page];
      for (let file = open.pop(); file !== undefined && found.size < MAX_PARTS; file = open.pop()) {
        for (const reference of this.#files.facts(file)?.references ?? []) {
          if (reference.carrier !== 'include') continue;
          const path = this.#resolve(file, reference);
          if (path === null || !/\.(?:md|mdx|markdown)$/i.test(path) || path === page || found.has(path))
            continue;
          found.add(path);
          open.push(path);
        }
      }
      paths = [...found];
      this.#known.set(page, paths);
    }
    return paths;
  }

  factsIn(page: RepoPath): readonly FileFacts[] {
    return this.pathsIn(page).flatMap((path) => this.#files.facts(path) ?? []);
  }

  /** For each file that is taken in, the first of the pages that do. */
  takersAmong(pages: Iterable<RepoPath>): ReadonlyMap<RepoPath, RepoPath> {
    const takers = new Map<RepoPath, RepoPath>();
    for (const page of pages) {
      for (const part of this.pathsIn(page)) if (!takers.has(part)) takers.set(part, page);
    }
    return takers;
  }
}
