import type { RepoPath } from '../model/index.ts';
import { relativePath } from '../tree/index.ts';
import type { ParsedTarget } from './parse-target.ts';

/** Writes a destination for `path` as the author of `parsed` would: rooted or relative, with or without `./`, encoded or not. */
export function writeTarget(
  file: RepoPath,
  parsed: ParsedTarget,
  path: RepoPath,
  tail = parsed.writtenTail,
): string {
  const { writtenPath, writtenPrefix } = parsed;
  const rooted = writtenPath.startsWith('/');
  let destination = rooted ? `/${path}` : relativePath(file, path);
  if (writtenPath.startsWith('./') && !destination.startsWith('.')) destination = `./${destination}`;
  if (destination === '') destination = './';
  if (parsed.wantsFolder && !destination.endsWith('/')) destination += '/';
  return writtenPrefix + encode(destination, writtenPath) + tail;
}

/** Percent-encodes what would change the meaning of a path; spaces only when the author did not write them raw. */
function encode(path: string, writtenPath: string): string {
  const encoded = path.replace(/[%?#]/g, encodeURIComponent);
  return writtenPath.includes(' ') ? encoded : encoded.replaceAll(' ', '%20');
}
