/** A path without the slashes at both of its ends; in time that grows with its length, however many there are. */
export function trimSlashes(path: string): string {
  let start = 0;
  while (path[start] === '/') start += 1;
  return trimEndSlashes(path.slice(start));
}

/** A path without the slashes at its end. */
export function trimEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
