import type { AnchorVerdict } from '../format-port/index.ts';
import type { FileFacts } from '../model/index.ts';

/** Longer fragments are not taken apart. In characters. */
const MAX_COMPOSED = 300;

/**
 * The verdict on an anchor that the headings of a page show to be meant for another program than the repository's host, which
 * the repository does not show: a heading names itself (`## Part {#part}`, `## Part #part`), or the fragment is put together
 * from the names of several, such as that of a part and that of the one around it. Null for every other.
 */
export function explainWrittenName(facts: FileFacts, anchor: string): AnchorVerdict | null {
  if (anchor === '') return null;
  const { names, written } = namesIn(facts);
  if (written.has(anchor)) {
    const message = `A heading names itself #${anchor} at its end, and nothing here says what publishes the page and reads that.`;
    return { status: 'unchecked', message };
  }
  if (!isComposed(anchor, names)) return null;
  const message = `“${anchor}” is put together from the names of headings, as what publishes the page may do.`;
  return { status: 'unchecked', message };
}

interface Names {
  /** Those that the repository's host makes. */
  readonly names: ReadonlySet<string>;
  /** Those that headings end with. */
  readonly written: ReadonlySet<string>;
}

const namesOf = new WeakMap<FileFacts, Names>();

function namesIn(facts: FileFacts): Names {
  let known = namesOf.get(facts);
  if (known === undefined) {
    const written = facts.anchors.flatMap(({ heading }) =>
      heading === null ? [] : (nameAtEnd(heading) ?? []),
    );
    known = { names: new Set(facts.anchors.map(({ name }) => name)), written: new Set(written) };
    namesOf.set(facts, known);
  }
  return known;
}

/** The name at the end of a heading, without its brackets; null when there is none. */
export function nameAtEnd(heading: string): string | null {
  const text = heading.trimEnd();
  if (!text.endsWith('}')) return /\s#([a-z0-9][\w.:-]{0,200})$/i.exec(text)?.[1] ?? null;
  const start = text.lastIndexOf('{');
  const inside = start === -1 ? '' : text.slice(start + 1, -1).trim();
  return inside.startsWith('#') ? inside.slice(1) : null;
}

/** Whether a name is that of two or more headings in a row. */
function isComposed(anchor: string, names: ReadonlySet<string>): boolean {
  if (anchor.length > MAX_COMPOSED || !anchor.includes('-')) return false;
  // Where the part before is made of whole names.
  const ends = [0];
  for (let at = 1; at <= anchor.length; at += 1) {
    if (at < anchor.length && anchor[at] !== '-') continue;
    if (!ends.some((start) => names.has(anchor.slice(start, at)))) continue;
    if (at === anchor.length) return !names.has(anchor);
    ends.push(at + 1);
  }
  return false;
}
