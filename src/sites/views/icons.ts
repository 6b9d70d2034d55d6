import { html, type Markup } from '../../markup/index.ts';

/** The icons of the frame, in the colour of the text around them. The names beside them say what they mean. */
export const icons = {
  menu: icon(html`<path d="M4 7h16M4 12h16M4 17h16"/>`),
  close: icon(html`<path d="m6 6 12 12M18 6 6 18"/>`),
  more: icon(html`<path d="M5 12h.01M12 12h.01M19 12h.01"/>`, 'dots'),
  search: icon(html`<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>`),
  sun: icon(
    html`<circle cx="12" cy="12" r="4"/><path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1"/>`,
    'sun',
  ),
  moon: icon(html`<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z"/>`, 'moon'),
  copy: icon(
    html`<rect x="8.5" y="8.5" width="11.5" height="11.5" rx="2"/><path d="M15.5 8.5V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7.5a2 2 0 0 0 2 2h2.5"/>`,
  ),
} as const;

function icon(shape: Markup, className?: string): Markup {
  return html`<svg${className ? html` class="${className}"` : null} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${shape}</svg>`;
}
