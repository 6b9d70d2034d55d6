/**
 * How a destination is written: in Markdown up to a space (`raw`) or between `<` and `>` (`angle`), as an
 * address that is its own text (`autolink`), as an attribute's value (`double` and `single` quotes, `unquoted`,
 * `srcset`), in quotes without escapes (`quoted`), as the path of an include, which ends at a space or a special
 * character (`include`), or as it is (`bare`).
 */
export type Notation =
  | 'raw'
  | 'angle'
  | 'autolink'
  | 'bare'
  | 'double'
  | 'single'
  | 'unquoted'
  | 'srcset'
  | 'quoted'
  | 'include';

/**
 * Writes a destination in a notation so that it decodes to `target`; null when the notation cannot express it.
 */
export function writeDestination(target: string, notation: Notation): string | null {
  if (target === '' || /\p{Cc}/u.test(target)) return null;
  return WRITERS[notation](target);
}

const WRITERS: Readonly<Record<Notation, (target: string) => string | null>> = {
  raw: writeRaw,
  angle: (target) => escapeDestination(target).replace(/[<>]/g, '\\$&'),
  autolink: (target) => (/[\s<>]/.test(target) ? null : target),
  bare: (target) => (/[\s<>"'`{}#:,[\]&*!|%@]/.test(target.replace(/^https?:|#\S*$/g, '')) ? null : target),
  double: (target) => escapeReferences(target).replaceAll('"', '&quot;'),
  single: (target) => escapeReferences(target).replaceAll("'", '&#39;'),
  unquoted: (target) =>
    // A slash could be read as the end of the tag.
    /[\s"'=<>`{}/]/.test(target)
      ? `"${escapeReferences(target).replaceAll('"', '&quot;')}"`
      : escapeReferences(target),
  srcset: (target) => (/[\s,"'&]/.test(target) ? null : target),
  include: (target) => (/[\s<>"'`{}#:[\]]/.test(target) ? null : target),
  quoted: (target) => (/["'`\\]/.test(target) ? null : target),
};

/** Spaces and unbalanced parentheses need the brackets. */
function writeRaw(target: string): string {
  if (target.includes(' ') || target.startsWith('<') || !isBalanced(target)) {
    return `<${WRITERS.angle(target)}>`;
  }
  return escapeDestination(target).replaceAll('<', '&lt;');
}

/**
 * Escapes what has another meaning even inside a destination: an escape, a character reference, and characters that
 * begin code or a table's next cell, which are parsed before links.
 */
function escapeDestination(target: string): string {
  return escapeReferences(target)
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replaceAll('`', '&#96;')
    .replaceAll('|', '&#124;');
}

/** Escapes `&` only where a character reference would begin: a plain `&` in a query stays. */
function escapeReferences(target: string): string {
  return target.replace(/&(?=#?[a-z\d]+)/gi, (character, at: number) =>
    /^&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i.test(target.slice(at, at + 40)) ? '&amp;' : character,
  );
}

function isBalanced(target: string): boolean {
  let depth = 0;
  for (const character of target) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    // CommonMark lets parsers limit the depth; all support 32.
    if (depth < 0 || depth > 30) return false;
  }
  return depth === 0;
}
