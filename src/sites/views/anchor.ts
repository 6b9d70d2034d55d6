import { type HtmlValue, html, type Markup, safeHref } from '../../markup/index.ts';

export interface AnchorOptions {
  readonly className?: string | null;
  /** `page` for the page itself, `true` for what contains it. */
  readonly current?: 'page' | 'true' | null;
  readonly language?: string | null;
  readonly isInNewTab?: boolean;
}

/** A link, or its text alone where its address is none that a browser may follow. */
export function anchor(
  href: string | null,
  content: HtmlValue,
  { className, current, language, isInNewTab = false }: AnchorOptions = {},
): Markup {
  const address = safeHref(href);
  const style = className ? html` class="${className}"` : null;
  if (address === null) return html`<span${style}>${content}</span>`;
  return html`<a${style} href="${address}"${current ? html` aria-current="${current}"` : null}${
    language ? html` lang="${language}" hreflang="${language}"` : null
  }${isInNewTab ? html` target="_blank" rel="noopener"` : null}>${content}</a>`;
}

/** Whether an address leads to another host. */
export function leadsElsewhere(href: string | null): boolean {
  return href !== null && /^https?:/i.test(href);
}
