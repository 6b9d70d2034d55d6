import { type HtmlValue, html, type Markup } from '../../markup/index.ts';

export interface MenuOptions {
  readonly className?: string;
  /** The name of the button, where its content does not say it. */
  readonly label?: string;
  readonly content: HtmlValue;
  readonly isCurrent?: boolean;
  /** `<li>` elements. */
  readonly items: HtmlValue;
}

/** A button that opens a list of links, without a script. Only one is open at a time. */
export function menu({ className, label, content, isCurrent = false, items }: MenuOptions): Markup {
  return html`<details class="menu${className ? ` ${className}` : null}" name="docloom-menu"><summary${
    label === undefined ? null : html` aria-label="${label}"`
  }${isCurrent ? html` aria-current="true"` : null}>${content}</summary><ul>${items}</ul></details>`;
}
