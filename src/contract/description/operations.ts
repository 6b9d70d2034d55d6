import Type from 'typebox';
import { defineOperation } from '../operation.ts';

export const descriptionOperations = {
  getDescription: defineOperation({
    id: 'getOpenAPI',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Description',
    summary: 'Read the OpenAPI description of this API.',
    responses: { 200: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }) },
    extension: true,
    open: true,
  }),
} as const;
