import { readTerms } from './read-terms.ts';
import { clip } from './sentences.ts';

const LABEL_TERMS = 3;
const MAX_LABEL = 80;
const QUOTED_TITLES = 3;
const MAX_SUMMARY = 500;

/** What a cluster is called, in terms and titles of its issues. */
export interface ClusterDescription {
  readonly label: string;
  readonly summary: string;
  /** The name of an icon, as in the icons of pages. */
  readonly icon: string;
}

/** By stems: the icon of the first row that the label has a term of. */
const ICONS: readonly (readonly [icon: string, stems: RegExp])[] = [
  ['lock', /^(?:login|sign|sso|saml|oidc|oauth|password|auth|authent\w*|permission|rol|access|invit)$/],
  ['magnifying-glass', /^(?:search|find|index|query)$/],
  ['file-export', /^(?:export|pdf|print|download|backup)$/],
  ['code-branch', /^(?:git|github|gitlab|sync|commit|branch|merg|push|pull|repository|repo)$/],
  ['link', /^(?:link|url|redirect|anchor|domain|hostname|dns|404)$/],
  ['image', /^(?:imag|pictur|screenshot|logo|icon|video|svg|png)$/],
  ['language', /^(?:translat|translation|languag|local|i18n|rtl)$/],
  ['palette', /^(?:them|css|styl|dark|color|colour|font|layout)$/],
  ['credit-card', /^(?:billing|bill|invoic|pric|price|plan|pay|payment|subscription)$/],
  ['gauge', /^(?:slow|performanc|speed|latency|timeout|memory)$/],
  ['box', /^(?:install|setup|deploy|docker|helm|upgrad|updat|migrat|migration|kubernet|kubernetes)$/],
  ['code', /^(?:api|endpoint|webhook|sdk|cli|openapi|swagger|graphql|json|yaml)$/],
  ['bug', /^(?:error|crash|fail|bug|broken|exception|500)$/],
  ['file-lines', /^(?:pag|page|doc|markdown|table|block|heading|sidebar|navigation)$/],
];
const OTHER_ICON = 'messages';

/** @param frequency in how many issues of all clusters a stem is, of how many issues. */
export function describeCluster(
  issues: readonly { readonly title: string; readonly summary: string }[],
  frequency: { readonly of: ReadonlyMap<string, number>; readonly total: number },
): ClusterDescription {
  const found = new Map<string, { issues: number; words: Map<string, number> }>();
  for (const { title, summary } of issues) {
    const seen = new Set<string>();
    for (const [weight, text] of [
      [2, title],
      [1, summary === title ? '' : summary],
    ] as const)
      for (const { stem, word, isPart } of readTerms(text)) {
        if (isPart) continue;
        const term = found.get(stem) ?? { issues: 0, words: new Map() };
        if (!seen.has(stem)) term.issues += weight;
        seen.add(stem);
        term.words.set(word, (term.words.get(word) ?? 0) + 1);
        found.set(stem, term);
      }
  }
  const ranked = [...found]
    .map(([stem, term]) => {
      const rarity = Math.log2(1 + frequency.total / (frequency.of.get(stem) ?? 1));
      return { stem, ...term, score: term.issues * rarity };
    })
    .sort((a, b) => b.score - a.score || (a.stem < b.stem ? -1 : 1))
    .slice(0, LABEL_TERMS);
  const words = ranked.map(({ words: forms }) => mostCommon(forms));
  const [first = 'Other', ...rest] = words;
  const titles = [...new Set(issues.map(({ title }) => title))].slice(0, QUOTED_TITLES);
  return {
    label: clip([capitalize(first), ...rest].join(', '), MAX_LABEL),
    summary: clip(titles.join(' '), MAX_SUMMARY),
    icon: ICONS.find(([, stems]) => ranked.some(({ stem }) => stems.test(stem)))?.[0] ?? OTHER_ICON,
  };
}

/** In how many of these issues each stem is. */
export function countStems(
  issues: readonly { readonly title: string; readonly summary: string }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { title, summary } of issues)
    for (const stem of new Set([...readTerms(title), ...readTerms(summary)].map((term) => term.stem)))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/** As a word is written most often; of equals in lower case. */
function mostCommon(words: ReadonlyMap<string, number>): string {
  return [...words].sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1))[0]?.[0] ?? '';
}

function capitalize(word: string): string {
  const [first = '', ...rest] = [...word];
  return `${first.toLocaleUpperCase('en')}${rest.join('')}`;
}
