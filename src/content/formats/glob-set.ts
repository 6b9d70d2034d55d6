import { compileGlob } from '../text/index.ts';

/** Patterns that braces multiply to; further ones are left out. */
const MAX_PATTERNS = 500;

/** Whether a path matches one of the patterns with `*`, `**`, `?` and `{a,b}`; a leading `!` excludes paths again. */
export function compileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.flatMap((pattern) => {
    const isOut = pattern.startsWith('!');
    const plain = pattern.replace(/^!?(?:\.?\/)?/, '');
    return expandBraces(plain).map((candidate) => ({ isOut, fits: compileGlob(candidate) }));
  });
  return (path) => {
    let fits = false;
    for (const rule of rules) if (rule.fits(path)) fits = !rule.isOut;
    return fits;
  };
}

function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let one = open.pop(); one !== undefined && done.length < MAX_PATTERNS; one = open.pop()) {
    const braces = /\{([^{}]*)\}/.exec(one);
    if (braces === null) {
      done.push(one);
      continue;
    }
    const [before, after] = [one.slice(0, braces.index), one.slice(braces.index + braces[0].length)];
    for (const choice of (braces[1] ?? '').split(','))
      if (open.length < MAX_PATTERNS) open.push(before + choice + after);
  }
  return done;
}
