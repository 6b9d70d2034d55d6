import type { Markup } from '../../markup/index.ts';
import { selectInput } from './select-input.ts';

/** A choice among the sources that there are. */
export function sourceInput(sources: readonly string[], selected: string): Markup {
  const all = sources.includes(selected) || selected === '' ? sources : [selected, ...sources];
  return selectInput({
    id: 'docloom-source',
    name: 'source',
    label: 'From',
    options: [
      { value: '', label: 'Everywhere' },
      ...all.map((source) => ({ value: source, label: describeSource(source) })),
    ],
    selected,
  });
}

/** Where a conversation is from, in words. */
export function describeSource(source: string): string {
  const [, name = '', instance = ''] = /^integration:([^:]+):(.*)$/.exec(source) ?? [];
  if (name === '') return source;
  if (name === 'search') return 'Search of a site';
  if (name === 'feedback') return 'Feedback on pages';
  if (name === 'github') return `GitHub, ${instance}`;
  return instance === 'api' || instance === 'default' ? name : `${name}, ${instance}`;
}
