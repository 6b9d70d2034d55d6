/** A part of an expression. */
export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'symbol'; readonly value: string };

/** The expression cannot be parsed, or has no value here. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const TOKEN =
  /\s*(?:(\d{1,15}(?:\.\d{1,15})?)|([A-Za-z_$][\w$]{0,200})|"((?:[^"\\]|\\.){0,2000})"|'((?:[^'\\]|\\.){0,2000})'|(===|!==|\?\?|\?\.|&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()[\]]))/y;

/** Splits an expression into tokens of the supported subset of JavaScript's syntax. */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new ExpressionError(`The character at ${at + 1} is not expected.`);
    const [, number, name, double, single, symbol] = match;
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', value: symbol });
    else tokens.push({ kind: 'text', value: unescapeText(double ?? single ?? '') });
  }
  return tokens;
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, (_all, character: string) => ({ n: '\n', t: '\t' })[character] ?? character);
}
