import type { Rule } from '../../content/model/index.ts';

/** What a rule is called where people read it: titles of annotations and rows of tables. */
export const ruleWords: Readonly<Record<Rule, string>> = {
  'missing-page': 'Page not found',
  'missing-file': 'File not found',
  'missing-anchor': 'Heading not found',
  'case-mismatch': 'Upper and lower case differ',
  'unlisted-page': 'Page is not published',
  'outside-space': 'Outside the space',
  'outside-repository': 'Outside the repository',
  'broken-marker': 'Marked as broken',
  'invalid-url': 'Address cannot work',
  'empty-target': 'Link without destination',
};
