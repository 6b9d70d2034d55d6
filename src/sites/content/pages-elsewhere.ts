import { toFragment } from '../../content/render/index.ts';
import type { PageWithTargets } from '../../platform/index.ts';
import type { RevisionOrigin } from '../../store/index.ts';
import { locationsOf, type VariantLocation } from '../locate-path.ts';
import type { SiteRequest } from '../site-request.ts';
import { hasText } from './page-index.ts';
import type { SpaceContent } from './space-contents.ts';

/** A page of another space of the site. */
export interface PageElsewhere {
  readonly title: string;
  readonly href: string;
}

/**
 * The pages of the site's other spaces to which a page links: by the paths of their files in the repository that they
 * share, which the link check knows as addresses on the repository's host. Of several branches, that of the page itself
 * comes first, then the one that readers see first.
 *
 * @returns the pages by those addresses
 */
export async function findPagesElsewhere(
  { structure, contents, addresses }: Pick<SiteRequest, 'structure' | 'contents' | 'addresses'>,
  { location, content }: { readonly location: VariantLocation; readonly content: SpaceContent },
  targets: PageWithTargets['targets'],
): Promise<ReadonlyMap<string, PageElsewhere>> {
  const found = new Map<string, PageElsewhere>();
  const tree = treeOf(content);
  if (tree === null) return found;
  const urls = new Set(
    [...targets.values()].flatMap(({ reference: { url } }) => (url?.startsWith(tree.url) ? [url] : [])),
  );
  if (urls.size === 0) return found;
  const others: {
    readonly isSameTree: boolean;
    readonly isDefault: boolean;
    readonly path: string;
    readonly content: SpaceContent;
  }[] = [];
  for (const { siteSpace } of locationsOf(structure)) {
    if (siteSpace.row.id === location.siteSpace.row.id) continue;
    const other = await contents.load(siteSpace.row.space);
    const otherTree = other && treeOf(other);
    if (other === null || otherTree?.repository !== tree.repository) continue;
    const { isDefault, path } = siteSpace;
    others.push({ isSameTree: otherTree.url === tree.url, isDefault, path, content: other });
  }
  others.sort(
    (a, b) => Number(b.isSameTree) - Number(a.isSameTree) || Number(b.isDefault) - Number(a.isDefault),
  );
  for (const url of urls) {
    const [file = '', anchor] = url.slice(tree.url.length).split('#').map(decode);
    for (const { path, content: other } of others) {
      const page = other.pages.byFile.get(file);
      if (page === undefined || !hasText(page.row)) continue;
      const fragment = anchor === undefined ? '' : toFragment(anchor);
      found.set(url, { title: page.row.title, href: addresses.below(path, page.row.path) + fragment });
      break;
    }
  }
  return found;
}

/** Where the files of a space's repository are on its host; null where that is unknown. */
function treeOf({ revision }: SpaceContent): { readonly url: string; readonly repository: string } | null {
  const { treeUrl, repository } = revision.origin as RevisionOrigin;
  if (treeUrl === undefined) return null;
  const url = `${treeUrl.replace(/\/$/, '')}/`;
  return {
    url,
    repository: repository === undefined ? url : `${repository.htmlHost}/${repository.fullName}`,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
