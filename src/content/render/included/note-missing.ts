import { LineFence } from '../blocks/line-fence.ts';
import type { Include } from './include.ts';

/**
 * The words that stand where a file should be: a warning of its own, or among other words and in code a short one. `indent`
 * is what stands before each line of the text.
 */
export function noteAt(
  text: string,
  { start, end, target }: Include,
  { problem, indent }: { readonly problem: string; readonly indent: string },
): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const before = text.slice(lineStart, start);
  const after = text.slice(end, newline === -1 ? text.length : newline);
  if (isInCode(text, lineStart)) return `${target} is not shown here. ${problem}`;
  const name = `\`${target.replace(/[`\r\n]/g, ' ')}\``;
  if (indent === '' && before === '' && after.trim() === '') {
    return `> [!WARNING]\n> ${name} is not shown here. ${asText(problem)}\n`;
  }
  return `**${name} is not shown here.** ${asText(problem)}`;
}

function isInCode(text: string, lineStart: number): boolean {
  const fence = new LineFence();
  for (const line of text.slice(0, lineStart).split('\n')) fence.takes(line);
  return fence.isOpen;
}

/** Plain words in Markdown. */
function asText(words: string): string {
  return words.replace(/[\\`*_[\]<>#{}|~!&$%]/g, '\\$&');
}
