import { Tokenizer } from 'parse5';

/** Resolves character references (`&amp;`, `&#38;`) as CommonMark does: only those that end with a semicolon. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, decodeAttributeValue);
}

/** Decodes the value of an HTML attribute from its text between the quotes. */
export function decodeAttributeValue(raw: string): string {
  if (!raw.includes('&')) return raw;
  let value = raw;
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: (token) => {
        value = token.attrs[0]?.value ?? raw;
      },
      onEndTag: nothing,
      onCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  );
  tokenizer.write(`<a b="${raw.replaceAll('"', '&quot;')}">`, true);
  return value;
}
