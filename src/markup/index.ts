/** Writing what browsers get: HTML by a template tag whose values are escaped, and files of repositories. */
export { dataScript, escapeHtml, type HtmlValue, html, inline, Markup, safeHref, sanitised } from './html.ts';
export { fileHeaders, fileSecurityPolicy } from './repository-files.ts';
