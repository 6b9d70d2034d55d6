import type { SourcePlace } from '../dialect/index.ts';
import { sourceAt, type TextOrigin } from './included/text-builder.ts';
import { loadDialect } from './load-dialect.ts';

/** A page as it is shown. */
export interface MarkdownPage {
  readonly markdown: string;
  readonly dialect: string;
  /** The page's own file. */
  readonly path: string;
  /** Where pieces of the text come from, when other files stand in it. */
  readonly origins?: readonly TextOrigin[] | undefined;
}

/**
 * Finds the judged link of a target, as the page's tree has it. Links are known by where they stand in the files, so what
 * is shown and what was judged cannot differ; undefined for a target that was not judged.
 */
export async function matchLinks<Link>(
  { markdown, dialect, path, origins }: MarkdownPage,
  linkAt: (place: SourcePlace) => Link | undefined,
): Promise<(target: string) => Link | undefined> {
  const { reading } = await loadDialect(dialect);
  const read = await reading.load();
  const { references } = read(new TextEncoder().encode(markdown));
  const links = new Map<string, Link>();
  for (const { line, column, target } of references) {
    const place = origins === undefined ? { path, line, column } : sourceAt(origins, line, column);
    const link = place === null ? undefined : linkAt(place);
    if (link !== undefined) links.set(decode(target), link);
  }
  return (target) => links.get(decode(target));
}

/** A target as written and as the renderer encodes it are the same once decoded. */
function decode(target: string): string {
  try {
    return decodeURIComponent(target.trim());
  } catch {
    return target.trim();
  }
}
