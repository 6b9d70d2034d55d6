import { repositoryFiles } from '../format-port/index.ts';
import { formats } from '../formats/index.ts';
import type { DeclaredSpace, DetectedSpace, TreeEntry } from '../model/index.ts';
import { treeIndexOf } from '../tree/index.ts';
import { type Candidate, chooseSpaces, declareSpaces } from './choose-spaces.ts';
import { type ReadBlobs, type ReadValues, untilRead } from './read-texts.ts';

/**
 * Returns the parts of a repository, which together contain all of its files: the declared spaces, each in the format
 * that it names or that is detected from its files; without declared spaces the detected ones, else the whole repository
 * as plain Markdown; then the other sites and the remaining files. Sorted by directory, `rest` last. Reads only the
 * builders' configuration files.
 */
export async function detectSpaces(options: {
  readonly tree: readonly TreeEntry[];
  readonly read: ReadBlobs;
  readonly declared?: readonly DeclaredSpace[];
  /** Reads large configurations elsewhere, within limits; in the calling thread when absent. */
  readonly readValues?: ReadValues;
}): Promise<readonly DetectedSpace[]> {
  const { tree, read, declared, readValues } = options;
  const index = treeIndexOf(tree);
  const hasFile = (marker: string) =>
    index.named(marker.slice(marker.lastIndexOf('/') + 1)).some((path) => `/${path}`.endsWith(`/${marker}`));
  const possible = formats.filter(({ markers }) => markers.length === 0 || markers.some(hasFile));
  const loaded = await Promise.all(
    possible.map(async (row) => ({ name: row.name, format: await row.load() })),
  );
  const found = await untilRead(
    read,
    (known) => {
      const files = repositoryFiles(tree, known);
      const all = loaded.flatMap(({ name, format }): Candidate[] =>
        format.detect(files).map((space) => ({ ...space, format: name })),
      );
      return async () => all;
    },
    { readValues },
  );
  return declared === undefined ? chooseSpaces(found, tree) : declareSpaces(declared, found);
}
