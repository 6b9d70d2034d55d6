import { html, type Markup } from '../../markup/index.ts';

const WIDTH = 8;
const HEIGHT = 28;

/** How often something came in each of the past weeks, the oldest first, as bars. */
export function renderPulse(weeks: readonly number[]): Markup {
  const most = Math.max(1, ...weeks);
  return html`<svg class="pulse" role="img" viewBox="0 0 ${weeks.length * WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-label="${describePulse(weeks)}">
${weeks.map((count, at) => {
  const height = Math.max(2, Math.round((count / most) * HEIGHT));
  return html`<rect${count === 0 ? html` class="none"` : null} x="${at * WIDTH}" y="${HEIGHT - height}" width="${WIDTH - 2}" height="${height}"/>`;
})}</svg>`;
}

function describePulse(weeks: readonly number[]): string {
  return `In each of the past ${weeks.length} weeks, the last one at the end: ${weeks.join(', ')}`;
}
