import type { ReferenceResource, ShownOperation } from '../../contract/index.ts';
import { findFiles, type PageRow, type RevisionRow, type SpaceRow } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadShownOperations } from '../openapi/page-operations.ts';
import { asWritten } from '../openapi/write-computed.ts';
import type { ConditionScope } from '../sites/conditions.ts';
import { partPaths } from './compose-row.ts';
import { presentTarget, statusOf } from './present-links.ts';
import { indexLinks, loadPageLinks, readBody } from './read-body.ts';
import { textForVisitor } from './visitor-text.ts';

/** A page of a space and all that its text refers to. */
export interface PageWithTargets {
  readonly markdown: string;
  /** In which its text is written. */
  readonly dialect: string | null;
  /** What its links and pictures lead to, by `targetKey`. */
  readonly targets: ReadonlyMap<
    string,
    {
      readonly status: 'ok' | 'broken' | 'in-app';
      readonly reference: ReferenceResource;
      /** Of a picture of the space, in pixels; null for everything else. */
      readonly size: { readonly width: number; readonly height: number } | null;
    }
  >;
  /** The API operations that its blocks show: those of public specifications. */
  readonly operations: readonly ShownOperation[];
  /** The specifications that the public may not see, as the page names them. */
  readonly privateSpecs: readonly string[];
}

/**
 * Reads a page as a visitor with these claims may see it: whoever calls this has decided that they may see the space. Null
 * when the text is not stored.
 */
export async function readPageWithTargets(
  deps: PlatformDeps,
  { space, revision }: { readonly space: SpaceRow; readonly revision: RevisionRow },
  { page, claims }: { readonly page: PageRow; readonly claims: ConditionScope },
): Promise<PageWithTargets | null> {
  const row = asWritten(page);
  const content = {
    space,
    revision,
    changeRequest: null,
    effectiveRole: 'visitor',
    organizationRole: 'none',
  } as const;
  const scope = { spaceId: space.id, organizationId: space.organizationId, at: revision };
  const [body, links] = await Promise.all([
    readBody(deps, content, { row, computed: true }),
    loadPageLinks(deps.db, { ...scope, pageId: page.id, parts: partPaths(row) }),
  ]);
  if (body === null) return null;
  const markdown = await textForVisitor(deps, content, { row, markdown: body.markdown, claims });
  const fileIds = [...new Set(links.flatMap(({ targetFileId }) => targetFileId ?? []))];
  const [{ operations, privateSpecs = [] }, indexed, files] = await Promise.all([
    loadShownOperations(deps, content, markdown),
    indexLinks(row, links),
    findFiles(deps.db, revision, { ids: fileIds, paths: [] }),
  ]);
  const sizes = new Map(
    files.flatMap(({ id, width, height }) =>
      width === null || height === null ? [] : [[id, { width, height }] as const],
    ),
  );
  return {
    markdown,
    dialect: row.dialect,
    targets: new Map(
      [...indexed].map(([target, link]) => [
        target,
        {
          status: statusOf(link),
          reference: presentTarget(link, content),
          size: sizes.get(link.targetFileId ?? '') ?? null,
        },
      ]),
    ),
    operations,
    privateSpecs,
  };
}
