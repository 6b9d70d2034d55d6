import type { Include, SourceText } from '../../dialect/index.ts';

/**
 * The words that stand where a file should be: a warning of its own, or among other words and in code a short one. `indent`
 * is what stands before each line of the text.
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

/** Plain words in Markdown. */
function escapeMarkdown(words: string): string {
  return words.replace(/[\\`*_[\]<>#{}|~!&$%]/g, '\\$&');
}
