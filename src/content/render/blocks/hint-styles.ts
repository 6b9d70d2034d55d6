/** The styles of hints, which are GitBook's. */
export type HintTone = 'info' | 'success' | 'warning' | 'danger';

/** The names of styles in all builders; others are `info`. */
const TONES: Readonly<Record<string, HintTone>> = {
  success: 'success',
  tip: 'success',
  hint: 'success',
  check: 'success',
  done: 'success',
  warning: 'warning',
  warn: 'warning',
  caution: 'warning',
  attention: 'warning',
  question: 'warning',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  fail: 'danger',
  missing: 'danger',
  bug: 'danger',
};

export function toneOf(style: string): HintTone {
  const name = style.toLowerCase();
  return Object.hasOwn(TONES, name) ? (TONES[name] as HintTone) : 'info';
}
