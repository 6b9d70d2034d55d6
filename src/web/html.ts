export { type HtmlValue, html, Markup, safeHref, sanitised } from '../markup/index.ts';
