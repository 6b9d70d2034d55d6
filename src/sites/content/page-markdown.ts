import { skipFrontMatter } from '../../content/text/index.ts';
import type { PageRow } from '../../store/index.ts';

/** The text of a page for programs: without front matter, and with the title as its heading where it has none. */
export function pageMarkdown({ title, description }: PageRow, markdown: string): string {
  const lines = markdown.split('\n');
  const text = lines.slice(skipFrontMatter(lines)).join('\n').trim();
  const hasTitle = /^#[ \t]/.test(text) || /^[^\n]+\n=+[ \t]*\r?\n/.test(text);
  const head = hasTitle ? [] : [`# ${title}`, ...(description === null ? [] : [`> ${description}`])];
  return `${[...head, text].join('\n\n')}\n`;
}
