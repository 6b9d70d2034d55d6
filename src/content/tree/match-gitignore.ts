import { matchesWildcards } from '../text/index.ts';
import { trimEndSlashes } from './relative-path.ts';

/** Whether a path (without leading slash) is ignored. */
export type GitignoreMatcher = (path: string) => boolean;

/** Patterns beyond this number are ignored, and so are longer ones. */
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_LENGTH = 500;

/**
 * Compiles patterns in gitignore's syntax (git's manual, gitignore): the last line that matches a path or a folder above it
 * decides, `!` includes a path again, and a slash inside anchors a pattern at the root.
 */
export function matchGitignore(patterns: string): GitignoreMatcher {
  const rules = patterns
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && line.length <= MAX_PATTERN_LENGTH)
    .slice(0, MAX_PATTERNS)
    .map(compile);
  return (path) => {
    let ignored = false;
    for (const { negated, matches } of rules) if (matches(path)) ignored = !negated;
    return ignored;
  };
}

function compile(line: string) {
  const negated = line.startsWith('!');
  const pattern = line.replace(/^!/, '').trim();
  const foldersOnly = pattern.endsWith('/');
  const body = trimEndSlashes(pattern);
  const isAnchored = body.includes('/');
  const segments = (isAnchored ? body.replace(/^\//, '') : `**/${body}`).split('/');
  return {
    negated,
    matches: (path: string) => {
      const parts = path.split('/');
      // A folder that matches ignores everything below it.
      for (let count = foldersOnly ? parts.length - 1 : parts.length; count > 0; count -= 1) {
        if (matchesSegments(segments, parts.slice(0, count))) return true;
      }
      return false;
    },
  };
}

/** A `**` segment matches any number of segments. */
function matchesSegments(pattern: readonly string[], parts: readonly string[]): boolean {
  return matchesWildcards(pattern, parts, (candidate) => candidate === '**', matchesSegment);
}

function matchesSegment(pattern: string, text: string): boolean {
  const tokens = pattern.match(/\[[^\]]{1,200}\]|\\?[\s\S]/gu) ?? [];
  return matchesWildcards(tokens, [...text], (token) => token === '*', matchesCharacter);
}

function matchesCharacter(token: string, character: string): boolean {
  if (token === '?') return true;
  if (token.length > 2 && token.startsWith('[')) {
    const [negated, set] = /^\[[!^]/.test(token) ? [true, token.slice(2, -1)] : [false, token.slice(1, -1)];
    return isInSet(set, character) !== negated;
  }
  return token.replace(/^\\(?=.)/, '') === character;
}

function isInSet(set: string, character: string): boolean {
  for (let at = 0; at < set.length; at += 1) {
    const first = set[at] as string;
    const last = set[at + 1] === '-' ? set[at + 2] : undefined;
    if (last === undefined ? character === first : character >= first && character <= last) return true;
    if (last !== undefined) at += 2;
  }
  return false;
}
