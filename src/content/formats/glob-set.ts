import { compileGlob } from '../text/index.ts';

/** Greatest number of patterns to which braces are expanded; further ones are ignored. */
const MAX_PATTERNS = 500;

/** Whether a path matches one of the patterns with `*`, `**`, `?` and `{a,b}`; a leading `!` excludes paths again. */
export function compileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.flatMap((pattern) => {
    const isNegated = pattern.startsWith('!');
    const plain = pattern.replace(/^!?(?:\.?\/)?/, '');
    return expandBraces(plain).map((candidate) => ({ isNegated, matches: compileGlob(candidate) }));
  });
  return (path) => {
    let isMatch = false;
    for (const rule of rules) if (rule.matches(path)) isMatch = !rule.isNegated;
    return isMatch;
  };
}

function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined && done.length < MAX_PATTERNS; next = open.pop()) {
    const braces = /\{([^{}]*)\}/.exec(next);
    if (braces === null) {
      done.push(next);
      continue;
    }
    const [before, after] = [next.slice(0, braces.index), next.slice(braces.index + braces[0].length)];
    for (const choice of (braces[1] ?? '').split(','))
      if (open.length < MAX_PATTERNS) open.push(before + choice + after);
  }
  return done;
}
