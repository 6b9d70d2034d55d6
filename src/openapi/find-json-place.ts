/** Where wanted values stand, as one passes through the text: a tree of the ways to them. */
interface Wanted {
  readonly below: Map<string, Wanted>;
  /** At its key in an object, at itself in a list; null until it was met. */
  offset: number | null;
}

/**
 * Where the values at the ends of ways stand in a text that `JSON.parse` takes; where a way ends early, the last value on
 * it. One pass over the text for all of them, without building anything of it.
 */
export function findJsonOffsets(text: string, ways: readonly (readonly string[])[]): readonly number[] {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const root: Wanted = { below: new Map(), offset: start };
  const chains = ways.map((parts) => {
    let at = root;
    const chain = [root];
    for (const part of parts) {
      const next = at.below.get(part) ?? { below: new Map(), offset: null };
      at.below.set(part, next);
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

/** Notes where the wanted values below the one that begins here stand. Answers where it ends. */
function visit(text: string, start: number, { below }: Wanted): number {
  const mark = text[start];
  if (below.size === 0 || (mark !== '{' && mark !== '[')) return skipValue(text, start);
  let at = skipSpace(text, start + 1);
  for (let index = 0; at < text.length && text[at] !== '}' && text[at] !== ']'; index++) {
    const isMember = mark === '{';
    const end = isMember ? skipString(text, at) : at;
    const value = isMember ? skipSpace(text, skipSpace(text, end) + 1) : at;
    const wanted = below.get(isMember ? readKey(text, at, end) : String(index));
    // Of two members of one name the last counts, as for `JSON.parse`.
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
