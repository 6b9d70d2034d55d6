import type { Include, SourceText } from '../../dialect/index.ts';
import { escapeMarkdown } from '../../text/index.ts';

/**
 * Returns the notice that replaces a file that cannot be shown: a warning block, or a short sentence inside a line or
 * code. `indent` is the indent of each line of the text.
 */
export function describeMissing(
  text: SourceText,
  { start, end, target }: Include,
  { problem, indent }: { readonly problem: string; readonly indent: string },
): string {
  if (text.isCode(text.positionAt('', start).line)) return `${target} is not shown here. ${problem}`;
  const name = `\`${target.replace(/[`\r\n]/g, ' ')}\``;
  if (indent === '' && text.hasLines(start, end)) {
    return `> [!WARNING]\n> ${name} is not shown here. ${escapeMarkdown(problem)}\n`;
  }
  return `**${name} is not shown here.** ${escapeMarkdown(problem)}`;
}
