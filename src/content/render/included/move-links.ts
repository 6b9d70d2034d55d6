import { type DestinationEdit, planDestinations } from '../../fix/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import type { Replacement } from '../../text/index.ts';
import { folderOf, relativePath, resolvePath } from '../../tree/index.ts';

/** Kinds whose destination is in the text and may be a path. */
const KINDS: ReadonlySet<Reference['kind']> = new Set([
  'link',
  'image',
  'definition',
  'html-link',
  'html-image',
  'block',
  'attribute',
]);

/**
 * Returns the replacements in an included file whose relative links start at its own folder, so that they lead to the
 * same targets from the page that includes it.
 */
export function moveLinks(
  source: string,
  references: readonly Reference[],
  { part, page }: { readonly part: RepoPath; readonly page: RepoPath },
): readonly Replacement[] {
  if (folderOf(part) === folderOf(page)) return [];
  const edits = references.flatMap((reference): DestinationEdit[] => {
    if (!KINDS.has(reference.kind) || reference.carrier === 'include') return [];
    const to = moved(reference.target, part, page);
    return to === null || to === reference.target ? [] : [{ ...reference, to }];
  });
  return planDestinations(source, edits).replacements;
}

/** Returns the target that leads from a page to where `target` leads from a file that the page includes. */
export function targetFromPage(
  target: string,
  { part, page }: { readonly part: RepoPath; readonly page: RepoPath },
): string {
  return folderOf(part) === folderOf(page) ? target : (moved(target, part, page) ?? target);
}

function moved(target: string, part: RepoPath, page: RepoPath): string | null {
  // Addresses, paths from a root, aliases, expressions, and fragments of the page stay as they are.
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  if (path === '' || /^(?:[a-z][a-z0-9+.-]*:|[/\\@~{])/i.test(path)) return null;
  const found = resolvePath(part, path);
  if (!found.inside) return null;
  const isFolder = found.endsWithSlash && found.path !== '';
  return (relativePath(page, found.path) || './') + (isFolder ? '/' : '') + tail;
}
