import { matchesWildcards } from '../text/index.ts';
import { trimEndSlashes } from './relative-path.ts';

/** Whether a path (without leading slash) is ignored. */
export type GitignoreMatcher = (path: string) => boolean;

/** Patterns beyond this number are ignored, and so are longer ones. */
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_LENGTH = 500;

/**
 * Compiles patterns in gitignore's syntax (git's manual, gitignore): the last line that matches a path decides, `!`
 * includes a path again, but nothing below a folder that is ignored, and a slash inside anchors a pattern at the root.
 */
export function matchGitignore(patterns: string): GitignoreMatcher {
  const rules = readRules(patterns);
  return (path) => {
    const parts = path.split('/');
    // git does not look into a folder that is ignored, so that what is below it cannot be included again.
    for (let count = 1; count <= parts.length; count += 1)
      if (rules.findLast(({ matches }) => matches(parts, count))?.negated === false) return true;
    return false;
  };
}

/**
 * Compiles patterns in the same syntax as programs read it that compare the paths of files alone: the last line that
 * matches a path or a folder above it decides, so `!` also includes what is below a folder that is left out.
 */
export function matchPathPatterns(patterns: string): GitignoreMatcher {
  const rules = readRules(patterns);
  return (path) => {
    const parts = path.split('/');
    const matchesAny = ({ matches }: Rule) => parts.some((_, at) => matches(parts, at + 1));
    return rules.findLast(matchesAny)?.negated === false;
  };
}

interface Rule {
  readonly negated: boolean;
  /** Whether the first `count` parts of a path match, which are a folder unless they are all. */
  matches(parts: readonly string[], count: number): boolean;
}

function readRules(patterns: string): readonly Rule[] {
  return patterns
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && line.length <= MAX_PATTERN_LENGTH)
    .slice(0, MAX_PATTERNS)
    .map(compile);
}

function compile(line: string): Rule {
  const negated = line.startsWith('!');
  const pattern = line.replace(/^!/, '').trim();
  const foldersOnly = pattern.endsWith('/');
  const body = trimEndSlashes(pattern);
  const isAnchored = body.includes('/');
  const segments = (isAnchored ? body.replace(/^\//, '') : body).split('/').map(compileSegment);
  const [first] = segments;
  return {
    negated,
    matches(parts, count) {
      if (foldersOnly && count === parts.length) return false;
      if (!isAnchored) return first !== undefined && matchesSegment(first, parts[count - 1] ?? '');
      // Most patterns differ from the start.
      if (first?.isAnyNumber === false && !matchesSegment(first, parts[0] ?? '')) return false;
      return matchesWildcards(segments, parts.slice(0, count), isAnyNumber, matchesSegment);
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
