import { createHash } from 'node:crypto';
import type { Page } from '../../content/index.ts';
import { searchLanguage } from '../search/search-language.ts';

/** Raised when sections are made in another way: then every page gets new ones. */
const VERSION = 1;

/** Names the set of a page's sections by all that it is made from. */
export function nameSections(
  dialects: Readonly<Record<string, string>>,
  language: string | null,
): (page: Page) => string {
  const config = searchLanguage(language);
  return ({ title, description, oid, file }) => {
    const parts = [VERSION, config, title, description, oid, file === null ? '' : (dialects[file] ?? '')];
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24);
  };
}
