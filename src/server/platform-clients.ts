import type { FastifyInstance } from 'fastify';
import { createClient, operations, type PlatformClient } from '../client/index.ts';
import { currentDelivery } from '../github/index.ts';
import type { Http } from '../net/index.ts';
import type { PageOrigins } from '../platform/index.ts';
import type { Database, Sealer } from '../store/index.ts';
import type { ServerConfig } from './config/index.ts';
import { listeningUrl } from './listen.ts';
import { createPageClient } from './page-client.ts';
import { serviceToken } from './service-token.ts';

/** How the parts of this process reach the platform, which is this server or the one at PLATFORM_URL. */
export interface PlatformClients {
  /** A client with the rights of this token. */
  readonly clientFor: (token: string) => PlatformClient;
  /** The same for pages, which name the browser for which they call. */
  readonly pageClientFor: (token: string) => PlatformClient;
  /** The client of the server itself, for its jobs. */
  readonly client: PlatformClient;
  /** The organization of new spaces. */
  readonly organizationId: () => Promise<string>;
}

export async function openPlatformClients({
  config,
  db,
  sealer,
  fastify,
  http,
  pageOrigins,
}: {
  readonly config: ServerConfig;
  readonly db: Database;
  readonly sealer: Sealer;
  readonly fastify: FastifyInstance;
  readonly http: Http;
  readonly pageOrigins: PageOrigins;
}): Promise<PlatformClients> {
  const clientFor = (token: string) =>
    createClient({
      baseUrl: config.platform?.url ?? listeningUrl(fastify),
      token,
      http,
      requestId: currentDelivery,
    });
  const pageClientFor = (token: string) =>
    config.platform !== null
      ? clientFor(token)
      : createPageClient({ baseUrl: listeningUrl(fastify), token, http }, pageOrigins);
  const token = config.platform?.token ?? (await serviceToken(db, sealer));
  const client = deferClient(() => clientFor(token));
  const organizationId = () => chooseOrganization(config, client);
  return { clientFor, pageClientFor, client, organizationId };
}

/** Gets the client anew for each call: the platform may be this server, whose address is known only once it listens. */
function deferClient(current: () => PlatformClient): PlatformClient {
  return {
    call: (operation, input) => current().call(operation, input),
    callWithHeaders: (operation, input) => current().callWithHeaders(operation, input),
    stream: (operation, input) => current().stream(operation, input),
    paginate: (operation, input) => current().paginate(operation, input),
    download: (file, limits) => current().download(file, limits),
  };
}

/** The configured organization, or the first that the token can access. */
async function chooseOrganization(config: ServerConfig, client: PlatformClient): Promise<string> {
  if (config.organizationId !== null) return config.organizationId;
  for await (const { id } of client.paginate(operations.listOrganizations, { query: { limit: 1 } }))
    return id;
  throw new Error(
    'The platform has no organization that PLATFORM_TOKEN can access: create one there, or set PLATFORM_ORGANIZATION.',
  );
}
