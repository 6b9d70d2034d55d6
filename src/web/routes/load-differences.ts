import {
  type ChangedFile,
  type ChangeRequest,
  operations,
  type PageView,
  type PlatformClient,
  PlatformError,
  type SemanticChange,
  type Space,
} from '../../client/index.ts';
import { operationKey } from '../../content/render/index.ts';
import { sanitised } from '../../markup/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import { changeRequestPath, editPath, filePath, pagePath } from '../addresses.ts';
import { type CommentedBlocks, placeThreads, renderOtherThreads } from '../comments/place-threads.ts';
import { ID_PREFIX } from '../layout.ts';
import { resolveTargets } from '../resolve-targets.ts';
import { belowTitle } from '../views/below-title.ts';
import type { FileView, ShownDifference } from '../views/changed-file-view.ts';

/** Of both sides together, in bytes: larger files are shown when somebody asks for them. */
const MAX_OPEN_BYTES = 64 * 1024;

/** Files of one page of the list that are shown without being asked for. */
const MAX_OPEN = 15;

/** How files are shown: all of them, or what differs for one. */
export interface ShownAs {
  readonly all: 'rendered' | 'source';
  readonly one: { readonly path: string; readonly as: 'rendered' | 'source' } | null;
}

/** The differences of these files of a change request. */
export async function loadDifferences(
  client: PlatformClient,
  { space, changeRequest }: { readonly space: Space; readonly changeRequest: ChangeRequest },
  files: readonly ChangedFile[],
  {
    changes,
    shownAs,
    page,
    comments,
  }: {
    readonly changes: readonly SemanticChange[];
    readonly shownAs: ShownAs;
    /** The cursor of this part of the list. */
    readonly page: string;
    /** How the threads of pages are shown; null where nobody comments. */
    readonly comments: Omit<CommentedBlocks, 'pageId'> | null;
  },
): Promise<readonly FileView[]> {
  const base = changeRequestPath(space.id, changeRequest.number);
  const { status, permissions } = changeRequest;
  const mayEdit = permissions.edit && (status === 'draft' || status === 'open');
  const ofPage = Map.groupBy(changes, ({ page: changed }) => changed?.id ?? '');
  return await Promise.all(
    files.map(async (file, index): Promise<FileView> => {
      const anchor = `${ID_PREFIX}file-${index + 1}`;
      const address = (as: 'rendered' | 'source') => {
        const query = new URLSearchParams({
          ...(page === '' ? {} : { page }),
          ...(shownAs.all === 'source' ? { as: 'source' } : {}),
          file: file.path,
          show: as,
        });
        return `${base}?${query}#${anchor}`;
      };
      const isPage = file.page !== undefined;
      const isNamed = shownAs.one?.path === file.path;
      const as = isNamed && shownAs.one !== null ? shownAs.one.as : shownAs.all;
      const size = (file.before?.size ?? 0) + (file.after?.size ?? 0);
      const isOpen = isNamed || (index < MAX_OPEN && size <= MAX_OPEN_BYTES) || isPicture(file);
      return {
        file,
        anchor,
        changes: file.page === undefined ? [] : (ofPage.get(file.page.id) ?? []),
        addresses: {
          rendered: isPage ? address('rendered') : null,
          source: address('source'),
          open: address(isPage ? as : 'source'),
        },
        preview:
          file.page === undefined || file.page.isGone
            ? null
            : pagePath(space.id, file.page.id, changeRequest.revision),
        edit:
          mayEdit && file.after !== undefined ? editPath(space.id, file.path, changeRequest.number) : null,
        shown: isOpen
          ? await loadDifference(client, {
              space,
              changeRequest,
              file,
              as,
              idPrefix: `f${index + 1}-`,
              comments,
            })
          : { kind: 'closed' },
      };
    }),
  );
}

interface Wanted {
  readonly space: Space;
  readonly changeRequest: ChangeRequest;
  readonly file: ChangedFile;
  readonly as: 'rendered' | 'source';
  readonly idPrefix: string;
  readonly comments: Omit<CommentedBlocks, 'pageId'> | null;
}

async function loadDifference(client: PlatformClient, wanted: Wanted): Promise<ShownDifference> {
  const { space, changeRequest, file, as } = wanted;
  if (isPicture(file)) return comparePictures(wanted);
  if (as === 'rendered' && file.page !== undefined) return await compareRendered(client, wanted);
  const comparison = await client.call(operations.compareFile, {
    params: { spaceId: space.id, changeRequestId: changeRequest.id },
    query: { path: file.path },
  });
  return { kind: 'source', comparison };
}

function isPicture({ file }: ChangedFile): boolean {
  return file !== undefined && /^image\//.test(file.contentType);
}

function comparePictures({ space, changeRequest, file }: Wanted): ShownDifference {
  const { id } = file.file ?? { id: '' };
  const { revision, revisionMergeBase } = changeRequest;
  return {
    kind: 'pictures',
    before: file.before === undefined ? null : filePath(space.id, id, revisionMergeBase),
    after: file.after === undefined ? null : filePath(space.id, id, revision),
  };
}

async function compareRendered(
  client: PlatformClient,
  { space, changeRequest, file, idPrefix, comments }: Wanted,
): Promise<ShownDifference> {
  const { page } = file;
  if (page === undefined) return { kind: 'problem', sentence: 'This file is no page.' };
  const load = async (revisionId: string, pageId: string) => {
    const view = await findPageView(client, { spaceId: space.id, revisionId, pageId });
    return view === null ? null : toHtmlPage(view, { spaceId: space.id, revisionId, idPrefix });
  };
  const before = page.isNew ? null : await load(changeRequest.revisionMergeBase, page.previousId ?? page.id);
  const after = page.isGone ? null : await load(changeRequest.revision, page.id);
  const commented = comments === null || page.isGone ? null : { ...comments, pageId: page.id };
  try {
    const difference = await contentThreads.comparePages(
      before,
      after && { ...after, hasBlockPlaces: commented !== null },
    );
    const { inserted, deleted, moved } = difference;
    const isSame = inserted + deleted + moved === 0;
    const content = belowTitle(sanitised(difference.html));
    if (commented === null) return { kind: 'rendered', content, isSame, discussion: null };
    const ofPage = commented.threads.filter(({ resource: { target } }) => target.page?.id === page.id);
    const placed = placeThreads(content.text, { ...commented, threads: ofPage });
    return {
      kind: 'rendered',
      content: placed.content,
      isSame,
      discussion: renderOtherThreads(commented, placed.others),
    };
  } catch (error) {
    if (error instanceof PageLimitError || error instanceof PageNotRead)
      return { kind: 'problem', sentence: error.message };
    throw error;
  }
}

async function findPageView(
  client: PlatformClient,
  params: { readonly spaceId: string; readonly revisionId: string; readonly pageId: string },
): Promise<PageView | null> {
  try {
    return await client.call(operations.getRevisionPageView, { params, query: { navigation: false } });
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return null;
    throw error;
  }
}

function toHtmlPage(
  { page: { markdown = '', dialect = '' }, targets, operations: shown, privateSpecs = [] }: PageView,
  content: { readonly spaceId: string; readonly revisionId: string; readonly idPrefix: string },
) {
  return {
    markdown,
    dialect,
    reservedIds: ID_PREFIX,
    idPrefix: content.idPrefix,
    addresses: resolveTargets(targets, content),
    operations: new Map(shown.map(({ spec, operation }) => [operationKey(spec, operation), operation])),
    privateSpecs: new Set(privateSpecs),
  };
}
