import { type HtmlValue, html, type Markup } from '../../markup/index.ts';

/** A checkbox with its label, which is sent as `on`. */
export function checkbox(name: string, label: HtmlValue, isChecked: boolean): Markup {
  return html`<div class="choice"><input type="checkbox" id="docloom-${name}" name="${name}" value="on"${isChecked ? html` checked` : null}><label for="docloom-${name}">${label}</label></div>`;
}

/** The checkbox without which nothing is deleted: it is sent as `sure=yes`. */
export function confirmation(label: HtmlValue): Markup {
  return html`<div class="choice"><input type="checkbox" id="docloom-sure" name="sure" value="yes" required><label for="docloom-sure">${label}</label></div>`;
}
