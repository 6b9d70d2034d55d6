/** A run of code, or the destination of a link: of Markdown, of a definition, or of an element or a block. */
const DESTINATION =
  /(`+)[^`\n]*\1|(\]\([ \t]*<?|^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?|\b(?:href|src|url|link|to)=["'])([^\s"'<>()]{1,1000})/g;

const FENCE = /^[\s>*+-]*(`{3,}|~{3,})/;

/**
 * Points the links of a Markdown text to where their targets are: programs resolve them against the address of the text,
 * which is seldom that of the file. What `addressOf` does not know, and code, stays as written.
 *
 * @param addressOf called with a target as it is written
 */
export function linkMarkdown(markdown: string, addressOf: (target: string) => string | null): string {
  let fence = '';
  const lines = markdown.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) === true) fence = '';
      return line;
    }
    // A fence with more on its line than a name is code on one line.
    if (mark !== undefined && !line.slice(line.indexOf(mark) + mark.length).includes('`')) {
      fence = mark;
      return line;
    }
    return line.replace(DESTINATION, (whole, _code, before?: string, target?: string) =>
      before === undefined || target === undefined ? whole : before + (addressOf(target) ?? target),
    );
  });
  return lines.join('\n');
}
