import Type from 'typebox';
import type { Document } from './document.ts';

/** A document as callers send it; its nodes nest, so the handler validates them. */
export const DocumentInput = (description: string) =>
  Type.Unsafe<Document>({
    type: 'object',
    required: ['object', 'nodes'],
    properties: {
      object: { const: 'document' },
      data: { type: 'object' },
      nodes: { type: 'array', maxItems: 1_000, items: { type: 'object' } },
    },
    description,
  });
