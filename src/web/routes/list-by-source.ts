import type { FastifyRequest } from 'fastify';
import { type Organization, operations, type PlatformClient } from '../../client/index.ts';
import { nextPage, pageOf } from './list-page.ts';
import { readText } from './read-text.ts';

interface Part<Item> {
  readonly items: readonly Item[];
  readonly count?: number | undefined;
  readonly next?: { readonly page: string } | undefined;
}

/** A part of a list of what people ask, of all sources or of the one that the address names. */
export interface ListBySource<Item> {
  readonly items: readonly Item[];
  readonly count: number;
  /** All that there are, and the one that was chosen; empty for all. */
  readonly sources: readonly string[];
  readonly source: string;
  readonly more: string | null;
}

/**
 * @param options.path of the page
 * @param options.choices what else the address of the page chooses
 * @param options.list calls the API with the source and the part that are wanted
 */
export async function listBySource<Item>(
  { client, organization, request }: Reading,
  {
    path,
    choices = {},
    list,
  }: {
    readonly path: string;
    readonly choices?: Readonly<Record<string, string>>;
    readonly list: (query: { readonly source?: string; readonly page?: string }) => Promise<Part<Item>>;
  },
): Promise<ListBySource<Item>> {
  const source = readText(request.query, 'source', 255).trim();
  const chosen: Readonly<Record<string, string>> = source === '' ? {} : { source };
  const [{ items, next, count }, sources] = await Promise.all([
    list({ ...chosen, ...pageOf(request) }),
    client.call(operations.listConversationSources, { params: { organizationId: organization.id } }),
  ]);
  return {
    items,
    count: count ?? items.length,
    sources: sources.items.map((one) => one.source),
    source,
    more: nextPage(path, next, { ...choices, ...chosen }),
  };
}

interface Reading {
  readonly client: PlatformClient;
  readonly organization: Organization;
  readonly request: FastifyRequest;
}
