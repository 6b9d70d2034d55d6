/**
 * Whether parts fit a pattern of parts in which some are wild, standing for any run. Once a later wild part is reached,
 * an earlier one never needs to take more, so one place to go back to is enough.
 */
export function matchesWildcards(
  pattern: readonly string[],
  parts: readonly string[],
  isWild: (part: string) => boolean,
  fitsOne: (pattern: string, part: string) => boolean,
): boolean {
  let at = 0;
  let wild = -1;
  let resume = 0;
  for (let part = 0; part < parts.length; ) {
    const wanted = pattern[at];
    if (wanted !== undefined && isWild(wanted)) {
      wild = at;
      resume = part;
      at += 1;
    } else if (wanted !== undefined && fitsOne(wanted, parts[part] ?? '')) {
      at += 1;
      part += 1;
    } else if (wild !== -1) {
      at = wild + 1;
      resume += 1;
      part = resume;
    } else {
      return false;
    }
  }
  while (at < pattern.length && isWild(pattern[at] ?? '')) at += 1;
  return at === pattern.length;
}
