import type { FormatName } from '../model/index.ts';

/** Returns how an id can be written after a heading, the builder's own notation first. */
export function idNotations(format: FormatName): readonly ((id: string) => string)[] {
  const attribute = (id: string) => ` {#${id}}`;
  const element = (id: string) => ` <a id="${escapeAttribute(id)}"></a>`;
  const editor = (id: string) => ` <a href="#${escapeAttribute(id)}" id="${escapeAttribute(id)}"></a>`;
  switch (format) {
    case 'docusaurus':
    case 'vitepress':
    case 'mdbook':
    case 'mkdocs':
      return [attribute, element];
    case 'gitbook':
      return [editor, element];
    default:
      return [element];
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
