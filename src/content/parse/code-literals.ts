/** What a slash after it divides. */
const VALUE = /[\w$)\]}"'`]/;
const WORDS_BEFORE_PATTERN =
  /(?:^|[^\w$])(?:await|case|delete|in|instanceof|new|of|return|throw|typeof|void|yield)$/;

/** Finds strings, comments and regular expressions in JavaScript with elements, from its start to its end. */
export class CodeLiterals {
  readonly #source: string;
  /** Before this position no string and no regular expression ends, so that one line is not searched again and again. */
  #openUntil = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * The position after the literal that begins at `at`; `at` itself if none does, as where its end is missing. Where an
   * element is open, `https://` is no comment.
   */
  endOf(at: number, isElementOpen: boolean): number {
    const source = this.#source;
    const code = source.charCodeAt(at);
    if (code === 34 || code === 39) return this.#endOfString(at, code);
    if (code !== 47) return at;
    const next = source.charCodeAt(at + 1);
    if (next === 47) {
      return isElementOpen && source.charCodeAt(at - 1) === 58 ? at : lineEnd(source, at);
    }
    if (next === 42) {
      const end = source.indexOf('*/', at + 2);
      return end === -1 ? source.length : end + 2;
    }
    // `</a`, `/>`, and what divides.
    if (source.charCodeAt(at - 1) === 60 || next === 62 || divides(source, at)) return at;
    return this.#endInLine(at, 47);
  }

  #endOfString(at: number, quote: number): number {
    const source = this.#source;
    // An apostrophe in a text.
    if (quote === 39 && at > 0 && /\w/.test(source.charAt(at - 1))) return at;
    const end = this.#endInLine(at, quote);
    if (end > at || source.charCodeAt(at - 1) !== 61) return end;
    // The value of an element's attribute may span lines.
    const close = source.indexOf(source.charAt(at), at + 1);
    return close === -1 ? at : close + 1;
  }

  #endInLine(start: number, mark: number): number {
    if (start < this.#openUntil) return start;
    const source = this.#source;
    let isInClass = false;
    let at = start + 1;
    for (; at < source.length; at += 1) {
      const code = source.charCodeAt(at);
      if (code === 92) {
        // A line break after a backslash continues a string.
        at += source.startsWith('\r\n', at + 1) ? 2 : 1;
      } else if (code === mark && !isInClass) return at + 1;
      else if (code === 10 || code === 13) break;
      else if (mark === 47 && code === 91) isInClass = true;
      else if (mark === 47 && code === 93) isInClass = false;
    }
    this.#openUntil = at;
    return start;
  }
}

/** Whether a slash follows a value, so that it begins no regular expression. */
function divides(source: string, at: number): boolean {
  let before = at - 1;
  while (before > 0 && before > at - 100 && source.charCodeAt(before) <= 32) before -= 1;
  if (!VALUE.test(source.charAt(before))) return false;
  return !WORDS_BEFORE_PATTERN.test(source.slice(Math.max(0, before - 12), before + 1));
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
}
