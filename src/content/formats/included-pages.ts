import type { FilesRead } from '../format-port/index.ts';
import { type FileFacts, MAX_PAGE_PARTS, type Reference, type RepoPath } from '../model/index.ts';
import { type FileLookup, PageMemo } from './page-memo.ts';

/** Finds the Markdown files that a page includes, through references whose carrier is `include`, at any depth. */
export class IncludedPages {
  readonly #files: FilesRead;
  readonly #resolve: (file: RepoPath, reference: Reference) => RepoPath | null;
  readonly #known: PageMemo<readonly RepoPath[]>;

  constructor(files: FilesRead, resolve: (file: RepoPath, reference: Reference) => RepoPath | null) {
    this.#files = files;
    this.#resolve = resolve;
    this.#known = new PageMemo(files);
  }

  factsIn(page: RepoPath, facts: FileFacts): readonly FileFacts[] {
    const paths = this.#known.get(page, facts, (files) => this.#pathsIn(page, facts, files));
    return paths.flatMap((path) => this.#files.facts(path) ?? []);
  }

  #pathsIn(page: RepoPath, facts: FileFacts, files: FileLookup): readonly RepoPath[] {
    const found = new Set<RepoPath>();
    const open = [{ file: page, facts }];
    for (let next = open.pop(); next !== undefined && found.size < MAX_PAGE_PARTS; next = open.pop()) {
      for (const reference of next.facts.references) {
        if (reference.carrier !== 'include') continue;
        const path = this.#resolve(next.file, reference);
        if (path === null || !/\.(?:md|mdx|markdown)$/i.test(path) || path === page || found.has(path))
          continue;
        found.add(path);
        const part = files.facts(path);
        if (part !== undefined) open.push({ file: path, facts: part });
      }
    }
    return [...found];
  }
}
