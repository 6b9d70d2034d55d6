/** Removes leading and trailing slashes, in linear time however many there are. */
export function trimSlashes(path: string): string {
  let start = 0;
  while (path[start] === '/') start += 1;
  return trimEndSlashes(path.slice(start));
}

/** Removes trailing slashes. */
export function trimEndSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
