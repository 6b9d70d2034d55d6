/** A text on one line that Markdown shows as it is, and in which a publisher finds no expressions. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#{}|~!&$%]/g, '\\$&')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2')
    .replace(/^(\s*)([-+=])/, '$1\\$2');
}
