import { IndentedCode, LineFence } from '../../content/text/index.ts';

/** A run of code, or the destination of a link: of Markdown, of a definition, or of an element or a block. */
const DESTINATION =
  /(`+)[^`\n]*\1|(\]\([ \t]*<?|^[ \t]*\[[^\]\n]{1,200}\]:[ \t]*<?|\b(?:href|src|url|link|to)=["'])([^\s"'<>()]{1,1000})/g;

/**
 * Points the links of a Markdown text to where their targets are: programs resolve them against the address of the text,
 * which is seldom that of the file. What `addressOf` does not know, and code, stays as written.
 *
 * @param addressOf called with a target as it is written
 * @param options.hasIndentedCode false where an indent makes no code, as in MDX
 */
export function linkMarkdown(
  markdown: string,
  addressOf: (target: string) => string | null,
  { hasIndentedCode = true }: { readonly hasIndentedCode?: boolean } = {},
): string {
  const fence = new LineFence();
  const indented = new IndentedCode();
  const isCode = (line: string) => {
    if (hasIndentedCode && !fence.isOpen && indented.isInCode(line)) return true;
    if (!fence.isInFence(line)) return false;
    indented.endBlock();
    return true;
  };
  const lines = markdown
    .split('\n')
    .map((line) =>
      isCode(line)
        ? line
        : line.replace(DESTINATION, (whole, _code, before?: string, target?: string) =>
            before === undefined || target === undefined ? whole : before + (addressOf(target) ?? target),
          ),
    );
  return lines.join('\n');
}
