import type { Reference } from '../../model/index.ts';

/** How the builder treats a reference. */
export type TargetKind = 'file' | 'asset' | 'address' | 'picture' | 'picture-address' | 'import';

/** Files that are pages if they are in a content folder. */
export const PAGE = /\.mdx?$/i;

/** The carrier of a path that is relative to the site's base, wherever the page stands. */
export const FROM_BASE = 'useBaseUrl';

/** The reference with its path from the site's root, where it is relative to the site's base. */
export function fromRoot(reference: Reference): Reference {
  return reference.carrier === FROM_BASE ? { ...reference, target: `/${reference.target}` } : reference;
}

export function targetKindOf({ kind, target }: Reference): TargetKind {
  const path = target.replace(/[?#][\s\S]*$/, '');
  if (kind === 'import') return 'import';
  if (kind === 'image') return 'picture';
  if (kind === 'html-image') return 'picture-address';
  const isMarkdown = kind === 'link' || kind === 'definition';
  if (isMarkdown && PAGE.test(path)) return 'file';
  if (isMarkdown && (path.startsWith('@site/') || (/\.[a-z0-9]+$/i.test(path) && !/\.html$/i.test(path))))
    return 'asset';
  return 'address';
}
