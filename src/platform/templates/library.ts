import { apiDocs } from './api-docs.ts';
import { blank } from './blank.ts';
import { handbook } from './handbook.ts';
import { productDocs } from './product-docs.ts';
import type { Template } from './template.ts';

/** All templates. `docs/api.md` lists them, too. */
export const templates: readonly Template[] = [blank, productDocs, apiDocs, handbook];

export function findTemplate(id: string): Template | undefined {
  return templates.find((template) => template.id === id);
}
