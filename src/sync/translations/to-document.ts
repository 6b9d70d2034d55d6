import type { Translation } from '../../client/index.ts';

type Instructions = NonNullable<Translation['instructions']>;

/** Plain text as a document of one paragraph; of no text an empty one. */
export function toDocument(text: string): Instructions {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }];
  const nodes = [{ object: 'text' as const, key: 'text', leaves }];
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: text === '' ? [] : [{ object: 'block', type: 'paragraph', key: 'instructions', nodes }],
  };
}
