import type { Rule, WarningRule } from './link.ts';

/** Every rule that a link can break and every warning, so that a mistyped one in the configuration is reported. */
const known: Readonly<Record<Rule | WarningRule, true>> = {
  'missing-page': true,
  'missing-file': true,
  'missing-anchor': true,
  'case-mismatch': true,
  'unlisted-page': true,
  'outside-space': true,
  'outside-repository': true,
  'broken-marker': true,
  'invalid-url': true,
  'empty-target': true,
  'works-on-github-only': true,
  'case-only': true,
  'unicode-form': true,
  'editor-link': true,
  'script-address': true,
  placeholder: true,
};

/** The rules of warnings, which break nothing. */
export const warningRules: ReadonlySet<string> = new Set<WarningRule>([
  'works-on-github-only',
  'case-only',
  'unicode-form',
  'editor-link',
  'script-address',
  'placeholder',
]);

export const knownRules: readonly string[] = Object.keys(known);
