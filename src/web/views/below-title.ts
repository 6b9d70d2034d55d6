import { type Markup, sanitised } from '../../markup/index.ts';

/** Rendered pages inside a page that has a title of its own: their titles are one level below. */
export function belowTitle(content: Markup): Markup {
  return sanitised(content.text.replace(/<(\/?)h1(?=[\s>])/g, '<$1h2'));
}
