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
    const parts = path.split('/');
    let ignored = false;
    for (const { negated, matches } of rules) if (ignored === negated && matches(parts)) ignored = !negated;
    return ignored;
  };
}

function compile(line: string) {
  const negated = line.startsWith('!');
  const pattern = line.replace(/^!/, '').trim();
  const foldersOnly = pattern.endsWith('/');
  const body = trimEndSlashes(pattern);
  const isAnchored = body.includes('/');
  const segments = (isAnchored ? body.replace(/^\//, '') : body).split('/').map(compileSegment);
  const [first] = segments;
  return {
    negated,
    matches: (parts: readonly string[]) => {
      // A folder that matches ignores everything below it.
      const last = foldersOnly ? parts.length - 1 : parts.length;
      if (!isAnchored && first !== undefined) {
        for (let at = 0; at < last; at += 1) if (matchesSegment(first, parts[at] ?? '')) return true;
        return false;
      }
      // Most patterns differ from the start.
      if (first?.isAnyNumber === false && !matchesSegment(first, parts[0] ?? '')) return false;
      for (let count = last; count > 0; count -= 1) {
        if (matchesWildcards(segments, parts.slice(0, count), isAnyNumber, matchesSegment)) return true;
      }
      return false;
    },
  };
}

interface Segment {
  /** `**` matches any number of segments. */
  readonly isAnyNumber: boolean;
  readonly text: string;
  /** Null where every character stands for itself. */
  readonly tokens: readonly string[] | null;
}

/** Compiled once: a repository has up to a thousand patterns, and asks each for each of its links. */
function compileSegment(text: string): Segment {
  const tokens = /[*?[\\]/.test(text) ? (text.match(/\[[^\]]{1,200}\]|\\?[\s\S]/gu) ?? []) : null;
  return { isAnyNumber: text === '**', text, tokens };
}

function isAnyNumber(segment: Segment): boolean {
  return segment.isAnyNumber;
}

function matchesSegment({ text, tokens }: Segment, actual: string): boolean {
  if (tokens === null) return text === actual;
  const [first = ''] = tokens;
  if (first.length === 1 && first !== '*' && first !== '?' && !actual.startsWith(first)) return false;
  return matchesWildcards(tokens, [...actual], isAnyText, matchesCharacter);
}

function isAnyText(token: string): boolean {
  return token === '*';
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
