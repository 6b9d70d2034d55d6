/** Markup that is safe to put into a page. Create it from text only with `safeHtml`. */
export class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = string | number | SafeHtml | null | undefined | false | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(piece: Piece): string {
  if (piece instanceof SafeHtml) return piece.text;
  if (Array.isArray(piece)) return piece.map(render).join('');
  if (piece === null || piece === undefined || piece === false) return '';
  return String(piece).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** A template whose values are escaped, unless they are markup themselves. Quote every attribute. */
export function safeHtml(strings: TemplateStringsArray, ...values: readonly Piece[]): SafeHtml {
  return new SafeHtml(strings.map((text, index) => text + render(values[index] ?? null)).join(''));
}
