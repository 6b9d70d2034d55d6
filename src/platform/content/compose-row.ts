import type { ComposedPage } from '../../content/render/index.ts';
import type { PageRow } from '../../store/index.ts';
import { contentThreads } from '../../threads/index.ts';

/** The oids of the files that are included in a page's text. */
export function partOids({ settings }: PageRow): readonly string[] {
  return settings?.parts?.flatMap((part) => ('oid' in part ? [part.oid] : [])) ?? [];
}

/** The paths of the files that are included in a page's text. */
export function partPaths({ settings }: PageRow): readonly string[] {
  return [...new Set(settings?.parts?.flatMap((part) => ('path' in part ? [part.path] : [])))];
}

/**
 * The text of a page with the files that it includes; null if it includes none, or exceeds a limit. `texts` has their bytes,
 * by oid.
 */
export async function composeRow(
  { gitPath, dialect, settings }: PageRow,
  text: string,
  texts: ReadonlyMap<string, Uint8Array>,
  options: { readonly isImport: boolean },
): Promise<ComposedPage | null> {
  const { parts } = settings ?? {};
  if (parts === undefined || gitPath === null) return null;
  const page = { path: gitPath, text, dialect: dialect ?? '', parts };
  return await contentThreads.compose(page, texts, options);
}
