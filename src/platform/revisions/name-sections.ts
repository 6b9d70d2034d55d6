import { createHash } from 'node:crypto';
import type { Page } from '../../content/index.ts';
import type { StoredPart } from '../../store/index.ts';

/** Raised when the code derives sections differently, so that every page gets new ones. */
const VERSION = 3;

/**
 * The id of the set of a page's sections, a digest of everything that it is derived from. `language` is a text search
 * configuration.
 */
export function nameSections(
  { title, description, oid }: Pick<Page, 'title' | 'description' | 'oid'>,
  {
    language,
    dialect,
    parts,
  }: {
    readonly language: string;
    readonly dialect: string;
    readonly parts: readonly StoredPart[] | null;
  },
): string {
  const all = [VERSION, language, title, description, oid, dialect, ...(parts === null ? [] : [parts])];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 24);
}
