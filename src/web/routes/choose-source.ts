import type { FastifyRequest } from 'fastify';
import { operations, type PlatformClient } from '../../client/index.ts';
import { readText } from './read-text.ts';

/** The source of conversations that a list is about, with what to ask the API for; an empty name for all. */
export function chooseSource(request: FastifyRequest): {
  readonly name: string;
  readonly query: { readonly source?: string };
} {
  const name = readText(request.query, 'source', 255).trim();
  return { name, query: name === '' ? {} : { source: name } };
}

/** The sources of an organization's conversations. */
export async function listSourceNames(
  client: PlatformClient,
  organizationId: string,
): Promise<readonly string[]> {
  const { items } = await client.call(operations.listConversationSources, { params: { organizationId } });
  return items.map(({ source }) => source);
}
