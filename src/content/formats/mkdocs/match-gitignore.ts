import { matchesWildcards } from '../../text/index.ts';
import { trimEndSlashes } from '../../tree/index.ts';

/** Whether a path (without leading slash) is ignored. */
export type GitignoreMatcher = (path: string) => boolean;

/** Patterns beyond this number are left out, and so are longer ones. */
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_LENGTH = 500;

/**
 * Makes a test of patterns in gitignore's syntax (git's manual, gitignore): the last line that fits a path or a folder
 * above it decides, `!` takes back, a slash inside ties a pattern to the root.
 */
export function matchGitignore(patterns: string): GitignoreMatcher {
  const rules = patterns
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && line.length <= MAX_PATTERN_LENGTH)
    .slice(0, MAX_PATTERNS)
    .map(compile);
  return (path) => {
    let ignored = false;
    for (const { negated, fits } of rules) if (fits(path)) ignored = !negated;
    return ignored;
  };
}

function compile(line: string) {
  const negated = line.startsWith('!');
  const pattern = line.replace(/^!/, '').trim();
  const foldersOnly = pattern.endsWith('/');
  const body = trimEndSlashes(pattern);
  const isTied = body.includes('/');
  const segments = (isTied ? body.replace(/^\//, '') : `**/${body}`).split('/');
  return {
    negated,
    fits: (path: string) => {
      const parts = path.split('/');
      // A folder that fits holds everything below it.
      for (let count = foldersOnly ? parts.length - 1 : parts.length; count > 0; count -= 1) {
        if (fitsSegments(segments, parts.slice(0, count))) return true;
      }
      return false;
    },
  };
}

/** Wild segments (`**`) stand for any run of segments. */
function fitsSegments(pattern: readonly string[], parts: readonly string[]): boolean {
  return matchesWildcards(pattern, parts, (candidate) => candidate === '**', fitsSegment);
}

function fitsSegment(pattern: string, text: string): boolean {
  const signs = pattern.match(/\[[^\]]{1,200}\]|\\?[\s\S]/gu) ?? [];
  return matchesWildcards(signs, [...text], (sign) => sign === '*', fitsCharacter);
}

function fitsCharacter(sign: string, character: string): boolean {
  if (sign === '?') return true;
  if (sign.length > 2 && sign.startsWith('[')) {
    const [negated, set] = /^\[[!^]/.test(sign) ? [true, sign.slice(2, -1)] : [false, sign.slice(1, -1)];
    return isInSet(set, character) !== negated;
  }
  return sign.replace(/^\\(?=.)/, '') === character;
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
