/**
 * Whether parts match a pattern in which some parts are wildcards for any run. Once a later wildcard is reached, an
 * earlier one never needs to match more, so one position to backtrack to is enough.
 */
export function matchesWildcards<Wanted>(
  pattern: readonly Wanted[],
  parts: readonly string[],
  isWild: (part: Wanted) => boolean,
  matches: (pattern: Wanted, part: string) => boolean,
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
    } else if (wanted !== undefined && matches(wanted, parts[part] ?? '')) {
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
  return pattern.slice(at).every(isWild);
}
