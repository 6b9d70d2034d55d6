import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/** The settings of a Writerside project; `project.ihp` is the name of older ones. */
export const WRITERSIDE_SETTINGS: readonly string[] = ['writerside.cfg', 'project.ihp'];

/** Tables of contents of one project beyond this number are not read. */
const MAX_TREES = 20;

/** What the tables of contents of a Writerside project say about pages of other repositories. */
export interface WritersideParts {
  /**
   * The modules whose pages they include (`<include from="x.tree" origin="x">`), and which no settings in the repository
   * name: the build takes them from other repositories.
   */
  readonly otherModules: readonly string[];
  /**
   * One that is a snippet for the contents of other projects (`<snippet id="x">` around its entries), beside whose pages its
   * own stand; null when none is.
   */
  readonly sharedContents: RepoPath | null;
}

export function readWriterside({ index, text }: SpaceInput, marker: RepoPath): WritersideParts {
  const settings = text(marker) ?? '';
  const named = settings.matchAll(/<instance\b[^>]{0,500}?\bsrc="([^"\n]{1,200})"/g);
  const trees = [...named].slice(0, MAX_TREES).map(([, tree = '']) => {
    const path = joinPath(folderOf(marker), tree);
    return { path, contents: text(path) ?? '' };
  });
  const shared = trees.find(({ contents }) => /<snippet\b[^>]{0,200}?\bid="[^"\n]+"/.test(contents));
  const origins = trees.flatMap(({ contents }) =>
    [...contents.matchAll(/<include\b[^>]{0,500}?\borigin="([^"\n]{1,200})"/g)].map(
      ([, origin = '']) => origin,
    ),
  );
  const own = new Set(
    (origins.length === 0 ? [] : WRITERSIDE_SETTINGS)
      .flatMap((name) => index.named(name))
      .slice(0, MAX_TREES)
      .map((path) => /<module\b[^>]{0,500}?\bname="([^"\n]{1,200})"/.exec(text(path) ?? '')?.[1]),
  );
  return {
    otherModules: [...new Set(origins)].filter((origin) => !own.has(origin)).sort(),
    sharedContents: shared?.path ?? null,
  };
}
