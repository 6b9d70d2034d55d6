import { loadDialect } from './load-dialect.ts';

/**
 * Finds the judged link of a target, as the page's tree has it. Links are known by where they stand in the text, so what
 * is shown and what was judged cannot differ; undefined for a target that was not judged.
 */
export async function matchLinks<Link>(
  page: { readonly markdown: string; readonly dialect: string },
  linkAt: (line: number, column: number) => Link | undefined,
): Promise<(target: string) => Link | undefined> {
  const { reading } = await loadDialect(page.dialect);
  const read = await reading.load();
  const { references } = read(new TextEncoder().encode(page.markdown));
  const links = new Map<string, Link>();
  for (const { line, column, target } of references) {
    const link = linkAt(line, column);
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
