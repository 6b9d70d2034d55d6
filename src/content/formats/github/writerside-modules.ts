import type { SpaceInput } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/** Tables of contents of one project beyond this number are not read. */
const MAX_TREES = 20;

/**
 * The modules whose pages the tables of contents of a Writerside project include (`<include from="x.tree" origin="x">`), and
 * which no configuration in the repository names: the build takes them from other repositories.
 */
export function writersideModules({ index, text }: SpaceInput, marker: RepoPath): readonly string[] {
  const settings = text(marker) ?? '';
  const trees = [...settings.matchAll(/<instance\b[^>]{0,500}?\bsrc="([^"\n]{1,200})"/g)].slice(0, MAX_TREES);
  const origins = trees.flatMap(([, tree = '']) =>
    [
      ...(text(joinPath(folderOf(marker), tree)) ?? '').matchAll(
        /<include\b[^>]{0,500}?\borigin="([^"\n]{1,200})"/g,
      ),
    ].map(([, origin = '']) => origin),
  );
  if (origins.length === 0) return [];
  const own = new Set(
    index
      .named('writerside.cfg')
      .slice(0, MAX_TREES)
      .map((path) => /<module\b[^>]{0,500}?\bname="([^"\n]{1,200})"/.exec(text(path) ?? '')?.[1]),
  );
  return [...new Set(origins)].filter((origin) => !own.has(origin)).sort();
}
