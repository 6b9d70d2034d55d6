/** The values to find, as a tree of their paths. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  /** Of its key in an object, of the value itself in a list; null until it is found. */
  offset: number | null;
}

/**
 * Offsets of the values at the given paths in a text that `JSON.parse` accepts, in UTF-16 code units. Where a path leads
 * to nothing, the offset of the last value on it. One pass over the text for all paths, without building its values.
 */
export function findJsonOffsets(text: string, paths: readonly (readonly string[])[]): readonly number[] {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const root: Wanted = { children: new Map(), offset: start };
  const chains = paths.map((parts) => {
    let at = root;
    const chain = [root];
    for (const part of parts) {
      const next = at.children.get(part) ?? { children: new Map(), offset: null };
      at.children.set(part, next);
      chain.push(next);
      at = next;
    }
    return chain;
  });
  visit(text, start, root);
  return chains.map((chain) => {
    const end = chain.findIndex(({ offset }) => offset === null);
    return chain.at(end === -1 ? -1 : end - 1)?.offset ?? start;
  });
}

/** Records the offsets of the wanted values inside the value that starts here. Returns the offset after its end. */
function visit(text: string, start: number, { children }: Wanted): number {
  const mark = text[start];
  if (children.size === 0 || (mark !== '{' && mark !== '[')) return skipValue(text, start);
  let at = skipSpace(text, start + 1);
  for (let index = 0; at < text.length && text[at] !== '}' && text[at] !== ']'; index++) {
    const isMember = mark === '{';
    const end = isMember ? skipString(text, at) : at;
    const value = isMember ? skipSpace(text, skipSpace(text, end) + 1) : at;
    const wanted = children.get(isMember ? readKey(text, at, end) : String(index));
    // Of two members with the same name the last one wins, as in `JSON.parse`.
    if (wanted) wanted.offset = at;
    at = skipSpace(text, wanted ? visit(text, value, wanted) : skipValue(text, value));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return at + 1;
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : raw;
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"[^"\\]*/y;
const UNTIL_MARK = /[^"[\]{}]*/y;
const PLAIN = /[^\t\n\r ,\]}]*/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(pattern.lastIndex, at);
}

function skipSpace(text: string, at: number): number {
  return skip(SPACE, text, at);
}

function skipString(text: string, start: number): number {
  let at = skip(STRING, text, start);
  while (text[at] === '\\') {
    at += 2;
    while (at < text.length && text[at] !== '"' && text[at] !== '\\') at++;
  }
  return at + 1;
}

function skipValue(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start);
  if (text[start] !== '{' && text[start] !== '[') return skip(PLAIN, text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const mark = text[at];
    if (mark === '"') at = skipString(text, at);
    else {
      if (mark === '{' || mark === '[') depth++;
      else if (mark === '}' || mark === ']') depth--;
      at++;
      if (depth === 0) return at;
    }
    at = skip(UNTIL_MARK, text, at);
  }
  return text.length;
}
