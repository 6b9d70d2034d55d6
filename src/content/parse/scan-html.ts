import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { type HtmlVisitor, scanPlainHtml } from './scan-plain-html.ts';

/** Elements whose content is not parsed as markup. */
const RAW_TEXT = new Map<string, number>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/** Reads the tags of a piece of HTML as the HTML standard tokenises it; comments and incomplete tags are left out. */
export function scanHtml(html: string, visitor: HtmlVisitor): void {
  if (!scanPlainHtml(html, visitor, (name) => RAW_TEXT.has(name))) scanAnyHtml(html, visitor);
}

/** Tokenises all HTML by the standard; exported for the test that compares `scanPlainHtml` with it. */
export function scanAnyHtml(html: string, visitor: HtmlVisitor): void {
  let rawElement: string | null = null;
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const { location } = token;
        const attributes = new Map(token.attrs.map(({ name, value }) => [name, value]));
        if (location !== null) {
          visitor.startTag(token.tagName, attributes, {
            line: location.startLine,
            column: location.startCol,
            endLine: location.endLine,
            endColumn: location.endCol,
          });
        }
        const mode = RAW_TEXT.get(token.tagName);
        if (mode === undefined || token.selfClosing) return;
        rawElement = token.tagName;
        tokenizer.state = mode as Tokenizer['state'];
      },
      onEndTag(token) {
        if (token.tagName === rawElement) rawElement = null;
        visitor.endTag(token.tagName);
      },
      onCharacter(token) {
        if (rawElement === null) visitor.text(token.chars);
      },
      onWhitespaceCharacter(token) {
        if (rawElement === null) visitor.text(token.chars);
      },
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {},
    },
  );
  tokenizer.write(html, true);
}

/** Names of elements whose raw text a parser skips; exported for the tests' table. */
export const rawTextElements: readonly string[] = [...RAW_TEXT.keys()];

export type { Token };
