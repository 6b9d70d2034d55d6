import type { BodyOf, ContentChange, Operations } from '../../contract/index.ts';
import {
  insertChangeRequest,
  lockSpaceForUpdate,
  newId,
  recordAudit,
  type SpaceRow,
  updateChangeRequest,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireSpace } from '../access/require-space.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { changeContent } from '../change-requests/change-content.ts';
import { locateChangeRequest } from '../change-requests/locate-change-request.ts';
import { mergeChangeRequest } from '../change-requests/merge-change-request.ts';
import { requireUnmerged } from '../change-requests/require-unmerged.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadContent } from '../revisions/load-content.ts';
import { retryWhenMoved } from '../revisions/retry-when-moved.ts';
import { findTemplate, templates } from './library.ts';
import type { Template } from './template.ts';
import { writeTemplate } from './write-template.ts';

type Body = BodyOf<Operations['applyTemplate']>;

/** Writes a template into a change request, or directly into the content if the request names none. */
export async function applyTemplate(
  deps: PlatformDeps,
  caller: Caller,
  spaceId: string,
  body: Body,
): Promise<void> {
  const { space } = await requireSpace(deps.db, caller, spaceId, 'edit');
  const template = findTemplate(body.id);
  if (!template) {
    const ids = templates.map((known) => known.id).join(', ');
    throw new ApiError(
      'template-unknown',
      `There is no template ${JSON.stringify(body.id)}; the templates are ${ids}.`,
    );
  }
  const { changeRequestId } = body;
  if (changeRequestId !== undefined) {
    await write(deps, caller, { spaceId, changeRequestId, template, body });
    return;
  }
  if (space.editMode === 'locked') {
    throw new ApiError(
      'space-locked',
      'The space is locked; name a changeRequestId, or set its editMode to live first.',
    );
  }
  // Checked first, so that a template that cannot be written leaves no change request behind.
  await planChanges(deps, space, space.revisionId, { template, body });
  const createdId = await createChangeRequest(deps, caller, space, template);
  try {
    await write(deps, caller, { spaceId, changeRequestId: createdId, template, body });
    await retryWhenMoved(() => mergeChangeRequest(deps, space.id, createdId, caller));
  } catch (error) {
    await updateChangeRequest(deps.db, createdId, { status: 'archived' });
    throw error;
  }
}

interface Writing {
  readonly spaceId: string;
  readonly changeRequestId: string;
  readonly template: Template;
  readonly body: Body;
}

async function write(
  deps: PlatformDeps,
  caller: Caller,
  { spaceId, changeRequestId, template, body }: Writing,
): Promise<void> {
  await retryWhenMoved(async () => {
    const params = { spaceId, changeRequestId };
    const { space, changeRequest } = await locateChangeRequest(deps.db, caller, params, 'edit');
    const row = requireUnmerged(changeRequest);
    const changes = await planChanges(deps, space, row.revisionId, { template, body });
    await changeContent(deps, space, row.id, changes, { editor: caller.user.id });
    await recordAudit(deps.db, {
      organizationId: space.organizationId,
      action: 'template.apply',
      actor: caller.actor,
      target: { kind: 'space', id: space.id, name: space.title },
      after: { template: template.id, changeRequest: row.id },
    });
  });
}

async function planChanges(
  deps: PlatformDeps,
  space: SpaceRow,
  revisionId: string | null,
  { template, body }: Pick<Writing, 'template' | 'body'>,
): Promise<ContentChange[]> {
  const { revision, rows } = await loadContent(deps, space, revisionId);
  return writeTemplate(template, body.params?.contentRefs, {
    directory: revision.directory,
    paths: rows.entries.keys(),
    pathOfFile: (id) => rows.files.get(id)?.gitPath,
  });
}

async function createChangeRequest(
  { db }: PlatformDeps,
  caller: Caller,
  space: SpaceRow,
  template: Template,
): Promise<string> {
  return await db.transaction(async (tx) => {
    const locked = await lockSpaceForUpdate(tx, space.id);
    if (locked === null || locked.revisionId === null) throw notFound('space with this id');
    const { id } = await insertChangeRequest(tx, {
      id: newId(),
      spaceId: space.id,
      subject: `Begin with the template ${template.id}`,
      createdBy: caller.user.id,
      baseRevisionId: locked.revisionId,
      revisionId: locked.revisionId,
    });
    return id;
  });
}
