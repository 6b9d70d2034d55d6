import type { ConfigurationChange } from '../format-port/index.ts';
import { loadFormatMoves } from '../formats/index.ts';
import type { RepoPath } from '../model/index.ts';
import { addressesOf, type MoveSide, withFiles } from './published-files.ts';
import { type RedirectChange, redirectPages } from './redirect-pages.ts';

export interface SpaceSides {
  readonly before: MoveSide;
  readonly after: MoveSide;
  /** The path of a file or folder after the move. */
  readonly moved: (path: RepoPath) => RepoPath;
}

/** How the configuration of a space changes with a move. The edits apply to the files before the move. */
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

/** The redirects from old addresses to new ones. The edits apply to the files after the move, with all other changes made. */
export async function redirectSpace({ before, after, moved }: SpaceSides): Promise<RedirectChange> {
  const moves = await loadFormatMoves(before.space.format);
  if (moves === null) return { edits: [], notes: [], added: [] };
  const old = await addressesOf(moves, before);
  const now = await addressesOf(moves, after);
  const table = await withFiles(after, (files) => moves.redirects(files));
  const liveAddresses = await withFiles(after, (files) => [...(moves.liveAddresses?.(files) ?? [])]);
  return redirectPages({ old, now, liveAddresses, moved, table });
}
