import type { AnchorQuery, AnchorVerdict, FilesRead } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import { anchorsOf, haveAnchor } from '../anchor-sets.ts';
import type { AstroConfig } from './starlight-config.ts';
import type { StarlightSite } from './starlight-context.ts';
import { aliasedPath } from './starlight-files.ts';

/** Anchors of every page. */
const PAGE_ANCHORS = new Set([
  '',
  'top',
  '_top',
  'starlight__sidebar',
  'starlight__on-this-page',
  'starlight__search',
]);

/** Whether a page, or a page that it imports, has an anchor. */
export function checkStarlightAnchor(
  { anchor, page, facts }: AnchorQuery,
  files: FilesRead,
  { config, routes }: Pick<StarlightSite, 'config' | 'routes'>,
): AnchorVerdict {
  if (PAGE_ANCHORS.has(anchor)) return { status: 'ok' };
  const name = anchor.replace(/^user-content-(?=fn)/, '');
  if (haveAnchor([facts], name) || haveAnchor([facts], anchor)) return { status: 'ok' };
  const all = [facts, ...partsOf(page, facts, files, config)];
  if (haveAnchor(all, name) || haveAnchor(all, anchor)) return { status: 'ok' };
  if (anchor === 'footnote-label' && facts.anchors.some((candidate) => candidate.name.startsWith('fn-')))
    return { status: 'ok' };
  const address = routes.addressOf(page);
  if (address !== null && routes.isReplaced(address)) {
    const message = `A page of ${config.sourceFolder}/pages is published in the place of ${page}, and may have “${anchor}”.`;
    return { status: 'unchecked', message, knownNames: anchorsOf(all) };
  }
  if (config.hasOwnHeadingIds) {
    const message = `A plugin of ${config.file} may name headings in its own way.`;
    return { status: 'unchecked', message, knownNames: anchorsOf(all) };
  }
  if (all.some((candidate) => candidate.opensAnchors === true)) {
    const message = `Expressions in headings of ${page}, or components of the site, may make “${anchor}”.`;
    return { status: 'unchecked', message, knownNames: anchorsOf(all) };
  }
  return { status: 'broken', names: new Set(anchorsOf(all)) };
}

/** The facts of the pages that a page imports, at any depth. */
function partsOf(
  page: RepoPath,
  facts: FileFacts,
  files: FilesRead,
  config: AstroConfig,
): readonly FileFacts[] {
  const parts = new Map<RepoPath, FileFacts>();
  const open = [{ path: page, facts }];
  for (let next = open.pop(); next !== undefined && parts.size < MAX_PARTS; next = open.pop()) {
    for (const { kind, carrier, target } of next.facts.references) {
      if (kind !== 'import' || carrier !== 'include') continue;
      const alias = aliasedPath(target, config);
      const resolution = alias === null ? resolvePath(next.path, target) : null;
      const path = alias ?? (resolution?.inside === true ? resolution.path : null);
      const part = path === null || parts.has(path) ? undefined : files.facts(path);
      if (path === null || part === undefined) continue;
      parts.set(path, part);
      open.push({ path, facts: part });
    }
  }
  return [...parts.values()];
}

const MAX_PARTS = 200;
