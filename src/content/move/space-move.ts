import type { ConfigurationChange } from '../format-port/index.ts';
import { loadFormatMoves } from '../formats/index.ts';
import type { RepoPath } from '../model/index.ts';
import { addressesOf, type MoveSide, withFiles } from './published-files.ts';
import { type RedirectChange, redirectPages } from './redirect-pages.ts';

export interface SpaceSides {
  readonly before: MoveSide;
  readonly after: MoveSide;
  /** Where a file or folder stands after the move. */
  readonly moved: (path: RepoPath) => RepoPath;
}

/** What the configuration of a space has to say after a move. Edits are of the files before it. */
export async function configureSpace({ before, after, moved }: SpaceSides): Promise<ConfigurationChange> {
  const moves = await loadFormatMoves(before.space.format);
  if (moves === null) return { edits: [], notices: [] };
  const old = await addressesOf(moves, before);
  const now = await addressesOf(moves, after);
  const addresses = new Map(
    [...old].map(([file, address]) => [file, { before: address, after: now.get(moved(file)) ?? null }]),
  );
  return await withFiles(before, (files) => moves.configure({ ...files, moved, addresses }));
}

/** The redirects from old addresses to new ones. Edits are of the files after the move, with all other changes made. */
export async function redirectSpace({ before, after, moved }: SpaceSides): Promise<RedirectChange> {
  const moves = await loadFormatMoves(before.space.format);
  if (moves === null) return { edits: [], notes: [], added: [] };
  const old = await addressesOf(moves, before);
  const now = await addressesOf(moves, after);
  const table = await withFiles(after, (files) => moves.redirects(files));
  const liveAddresses = await withFiles(after, (files) => [...(moves.liveAddresses?.(files) ?? [])]);
  return redirectPages({ old, now, liveAddresses, moved, table });
}
