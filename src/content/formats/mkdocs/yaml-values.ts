import { asRecord } from '../untyped-values.ts';

/** An entry of a list of names that may have options, such as `- toc: {permalink: true}`. */
export interface Named {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Names with options, from a list (`- name`, `- name: {…}`) or a mapping (`name: {…}`). */
export function namedEntries(value: unknown): readonly Named[] {
  const entries = Array.isArray(value) ? value : [asRecord(value)];
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') return [{ name: entry, options: {} }];
    return Object.entries(asRecord(entry)).map(([name, options]) => ({ name, options: asRecord(options) }));
  });
}
