import type { PageView } from '../../contract/index.ts';
import type { RevisionCounts } from '../../store/index.ts';
import { listLinksToPage, loadPage } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadShownOperations } from '../openapi/page-operations.ts';
import { asWritten } from '../openapi/write-computed.ts';
import { presentGitInfo } from '../spaces/present-space.ts';
import { partPaths } from './compose-row.ts';
import { listComputedLinks } from './computed-links.ts';
import { type ContentParams, locateContent, specsVersionOf, versionOf } from './locate-content.ts';
import type { NavigationCache } from './navigation-cache.ts';
import { presentCommit, presentPage } from './present-content.ts';
import { presentLink, presentLocation, presentTarget, statusOf } from './present-links.ts';
import { indexLinks, loadPageLinks, readBody, textNotStored } from './read-body.ts';

const BROKEN_SHOWN = 20;
const BACKLINKS_SHOWN = 100;

/** A page with everything needed to show it, in the same form as the separate reads return it. */
export async function readPageView(
  deps: PlatformDeps,
  navigations: NavigationCache,
  input: {
    readonly caller: Caller;
    readonly params: ContentParams & { readonly pageId: string };
    readonly query: { readonly navigation?: boolean | undefined };
    readonly identify: (version: string) => void;
  },
): Promise<PageView> {
  const { db, publicUrl } = deps;
  const { pageId } = input.params;
  const { navigation: isNavigated = true } = input.query;
  const content = await locateContent(db, input.caller, input.params);
  const { revision } = content;
  const { id, title, organizationId, gitSync } = content.space;
  const space = { id, title, ...(gitSync === null ? {} : { gitSync: presentGitInfo(content.space) }) };
  const version = await specsVersionOf(db, content);
  input.identify(`${versionOf(content)} ${version.specs} ${JSON.stringify(space)} ${isNavigated}`);
  const found = await loadPage(db, revision, pageId);
  if (!found) throw notFound('page with this id in this content');
  const row = asWritten(found);
  const body = await readBody(deps, content, { row, computed: true });
  if (body === null) throw textNotStored();
  const scope = { spaceId: id, organizationId, at: revision };
  const hasComputed = ((revision.counts as RevisionCounts).specs ?? 0) > 0;
  const [navigation, links, computed, backlinks, shown] = await Promise.all([
    isNavigated ? navigations.load(db, revision) : [],
    loadPageLinks(db, { ...scope, pageId, parts: partPaths(row) }),
    hasComputed ? listComputedLinks(db, content, pageId) : [],
    listLinksToPage(db, scope, pageId, { after: null, limit: BACKLINKS_SHOWN }),
    loadShownOperations(deps, content, body.markdown),
  ]);
  const broken = [...computed, ...links].filter(({ status }) => status === 'broken');
  const view = { ...content, publicUrl, metadata: true, computed: true, ...version };
  return {
    space,
    revision: {
      id: revision.id,
      ...(revision.commitOid === null ? {} : { git: presentCommit(revision, revision.commitOid) }),
    },
    page: { ...presentPage(row, view), markdown: body.markdown },
    navigation,
    targets: [...(await indexLinks(row, links))].map(([target, link]) => ({
      target,
      status: statusOf(link),
      reference: presentTarget(link, content),
    })),
    brokenLinks: {
      count: broken.length,
      items: broken.slice(0, BROKEN_SHOWN).map((link) =>
        presentLink(link, {
          target: (row) => presentTarget(row, content),
          location: (row) => presentLocation(row, content),
        }),
      ),
    },
    backlinks: {
      count: backlinks.count,
      items: backlinks.rows.map((link) => presentLocation(link, content)),
    },
    ...shown,
  };
}
