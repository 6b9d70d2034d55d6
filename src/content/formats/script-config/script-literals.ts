/** A text in quotes, where it stands in a script. */
export interface ScriptLiteral {
  readonly value: string;
  /** Offsets between the quotes. */
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  /** The key of the entry that it is the value of, or stands in as an item of a list; null where there is none. */
  readonly key: string | null;
  /** Whether it is itself the key of an entry. */
  readonly isKey: boolean;
  /** Whether its characters stand in the file as they are, so that another text can be put in their place. */
  readonly isPlain: boolean;
  /** The innermost bracket around it; null at the top. */
  readonly group: ScriptGroup | null;
}

/** A pair of brackets. */
export interface ScriptGroup {
  readonly mark: '{' | '[' | '(';
  /** The offset behind the opening bracket, and that of the closing one. */
  readonly start: number;
  readonly end: number;
  /** The key of the entry that it is the value of, or stands in; null where there is none. */
  readonly key: string | null;
  /** The word before it: the function of a call, `default` behind `export default`. */
  readonly word: string;
  readonly parent: ScriptGroup | null;
}

export interface ScriptLiterals {
  readonly literals: readonly ScriptLiteral[];
  /** In the order in which they open. */
  readonly groups: readonly ScriptGroup[];
  /** False when the brackets do not match, so that nothing is certain. */
  readonly isWhole: boolean;
}

type OpenGroup = { -readonly [Name in keyof ScriptGroup]: ScriptGroup[Name] } & { entry: string | null };

const CLOSES: Readonly<Record<string, string>> = { '}': '{', ']': '[', ')': '(' };
const PIECE =
  /[\s;]+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<text>"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?)|(?<word>[\w$.]+)|=>|[\s\S]/y;
const PATTERN = /\/(?:[^\n\\/[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,500}\/[a-z]{0,9}/y;

/**
 * Finds the texts in quotes of a script (JavaScript, TypeScript or JSON) with the keys that they stand under. Comments
 * and regular expressions are passed over; nothing is run. Linear.
 */
export function findScriptLiterals(text: string): ScriptLiterals {
  const literals: ScriptLiteral[] = [];
  const groups: OpenGroup[] = [];
  let group = null as OpenGroup | null;
  let isWhole = true;
  let [last, word, startsEntry] = ['', '', true];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const isPattern =
      text[at] === '/' && /^(?:|[=(,:;!&|?[{}>])$/.test(last) && !/^\/[/*]/.test(text.slice(at, at + 2));
    const match = (isPattern ? take(PATTERN) : null) ?? take(PIECE);
    if (match === null) break;
    const [piece] = match;
    const start = at;
    at += piece.length;
    if (/^(?:[\s;]|\/[/*])/.test(piece)) {
      if (piece.includes(';')) word = '';
      continue;
    }
    const isEntry = group?.mark === '{' && startsEntry;
    const isKey = isEntry && isFollowedByColon(text, at);
    const said = match.groups?.['text'];
    if (said !== undefined && (said.length < 2 || !said.endsWith(said[0] ?? ''))) {
      // A quote without its partner: what stands behind it on the line is no code.
      word = '';
    } else if (said !== undefined) {
      const value = said.slice(1, -1);
      const isOpen = said.startsWith('`') && value.includes('${');
      if (isKey && group !== null) group.entry = value;
      literals.push({
        value,
        start: start + 1,
        end: at - 1,
        quote: said[0] ?? '',
        key: isKey ? null : (group?.entry ?? null),
        isKey,
        isPlain: !isOpen && !value.includes('\\'),
        group,
      });
      word = '';
    } else if (match.groups?.['word'] !== undefined) {
      if (isKey && group !== null) group.entry = piece;
      word = piece;
    } else if (piece === '{' || piece === '[' || piece === '(') {
      const key: string | null = group?.entry ?? null;
      // What stands in a list stands under the list's key.
      const entry = piece === '{' ? null : key;
      group = { mark: piece, start: at, end: text.length, key, word, parent: group, entry };
      groups.push(group);
      word = '';
    } else if (piece in CLOSES) {
      if (group === null || group.mark !== CLOSES[piece]) isWhole = false;
      else {
        group.end = start;
        group = (group.parent as OpenGroup | null) ?? null;
      }
      word = '';
    } else {
      if (piece === ',' && group?.mark === '{') group.entry = null;
      word = '';
    }
    startsEntry = piece === '{' || piece === ',';
    last = piece === 'return' || !/[\w$"'`]$/.test(piece) ? piece.replace('return', '') : 'x';
  }
  return { literals, groups, isWhole: isWhole && group === null };
}

function isFollowedByColon(text: string, at: number): boolean {
  return /\s*:/y.test(text.slice(at, at + 100));
}
