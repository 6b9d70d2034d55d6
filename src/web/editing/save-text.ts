import {
  type ChangeRequest,
  operations,
  type PlatformClient,
  PlatformError,
  type Source,
} from '../../client/index.ts';
import { type MergedPart, mergedText } from '../../content/diff/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import { markConflicts } from './conflict-marks.ts';
import { restoreText, toEditable } from './edited-text.ts';

/** A text that was edited, and the file that it started from. */
export interface EditedText {
  readonly spaceId: string;
  readonly path: string;
  readonly text: string;
  /** The file as it was opened; empty for one that did not exist. */
  readonly oid: string;
  readonly revision: string;
}

export type Saved =
  | {
      readonly kind: 'saved' | 'merged' | 'unchanged';
      readonly changeRequest: ChangeRequest | null;
      readonly source: Source | null;
    }
  /** Somebody changed the same lines meanwhile; `text` has both. */
  | {
      readonly kind: 'conflict';
      readonly changeRequest: ChangeRequest;
      readonly current: Source;
      readonly text: string;
    };

/**
 * Writes a text into a change request, which `open` creates when there is none yet. What somebody else wrote meanwhile is
 * merged, or returned as a conflict: nothing is overwritten.
 */
export async function saveText(
  client: PlatformClient,
  edited: EditedText,
  open: () => Promise<ChangeRequest>,
): Promise<Saved> {
  const { spaceId, path, oid } = edited;
  const base = oid === '' ? null : await findSource(client, spaceId, { path, revision: edited.revision });
  // An old revision may be deleted; without the text that was opened, everything counts as changed on both sides.
  const original = base?.text ?? '';
  const text = restoreText(original, edited.text);
  if (base !== null && text === original) return { kind: 'unchanged', changeRequest: null, source: base };
  const changeRequest = await open();
  const write = async (content: string, expected: string) =>
    await client.call(operations.changeContent, {
      params: { spaceId, changeRequestId: changeRequest.id },
      body: { changes: [{ type: 'write', path, text: content, expected }] },
    });
  const read = async () => await findSource(client, spaceId, { path, changeRequest: changeRequest.id });
  if (oid === '' || base !== null) {
    try {
      const changed = await write(text, oid);
      return { kind: 'saved', changeRequest: changed, source: await read() };
    } catch (error) {
      if (!(error instanceof PlatformError) || error.reason !== 'file-changed') throw error;
    }
  }
  const current = await read();
  // Whoever edits a file that was deleted meanwhile wants it.
  if (current?.text === undefined) {
    const changed = await write(text, '');
    return { kind: 'saved', changeRequest: changed, source: await read() };
  }
  if (current.text === text) return { kind: 'unchanged', changeRequest, source: current };
  const parts = await merge(original, text, current.text);
  const merged = mergedText(parts);
  if (merged === null)
    return { kind: 'conflict', changeRequest, current, text: toEditable(markConflicts(parts)) };
  const changed = await write(merged, current.oid);
  return { kind: 'merged', changeRequest: changed, source: await read() };
}

/** Where merging takes too long, the whole texts contradict each other. */
async function merge(base: string, ours: string, theirs: string): Promise<readonly MergedPart[]> {
  try {
    return await contentThreads.mergeTexts(base, ours, theirs);
  } catch (error) {
    if (!(error instanceof PageLimitError || error instanceof PageNotRead)) throw error;
    return [{ kind: 'conflict', base, ours, theirs }];
  }
}

/** Null for a file that does not exist there. */
export async function findSource(
  client: PlatformClient,
  spaceId: string,
  query: { readonly path: string; readonly revision?: string; readonly changeRequest?: string },
): Promise<Source | null> {
  try {
    return await client.call(operations.getSource, { params: { spaceId }, query });
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return null;
    throw error;
  }
}
