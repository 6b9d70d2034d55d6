import {
  type FilesRead,
  generatedVerdict,
  type LinkRules,
  type LinkVerdict,
  type Table,
} from '../../format-port/index.ts';
import type { Reference } from '../../model/index.ts';
import { isPageFile } from '../../tree/index.ts';
import { includedFile } from './mdbook-anchors.ts';

/** With fewer directives, all of them may be mistakes. */
const MIN_DIRECTIVES = 5;

/**
 * Tells whether any directive of a book finds its file. Programs that read books in their own way, such as a site's build
 * script, start the paths of directives at a folder of theirs.
 */
export class FoundFiles {
  readonly #directives: Table<number>;

  constructor(files: FilesRead) {
    this.#directives = files.table<number>('mdbook found files', ({ path }) => {
      if (!isPageFile(path)) return [];
      const directives = (files.facts(path)?.references ?? []).filter(({ kind }) => kind === 'block');
      const found = directives.filter((reference) => {
        const target = includedFile(path, reference);
        return target !== null && files.file(target) !== null;
      });
      const rows = [
        ['found', found.length],
        ['missing', directives.length - found.length],
      ] as const;
      return rows.filter(([, count]) => count > 0);
    });
  }

  /** Rules under which directives are unchecked where another program reads them. */
  addTo(rules: LinkRules): LinkRules {
    return {
      ...rules,
      explainMissing: (resolution, file, reference) =>
        rules.explainMissing?.(resolution, file, reference) ?? this.#explain(reference),
    };
  }

  /** The verdict on a directive without a file, if no other of the book finds one; null when some do. */
  #explain({ kind }: Reference): LinkVerdict | null {
    if (kind !== 'block' || this.#directives.rows('found').length > 0) return null;
    const count = this.#directives.rows('missing').reduce((sum, { value }) => sum + value, 0);
    return count < MIN_DIRECTIVES
      ? null
      : generatedVerdict(
          `None of the book’s ${count} directives finds its file as mdBook reads them, so another program probably does.`,
        );
  }
}
