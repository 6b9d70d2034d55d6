import type { FastifyInstance } from 'fastify';
import type { OperationName } from '../contract/index.ts';
import type { nobody } from './access/caller.ts';
import './api/fastify-types.ts';
import { handleErrors } from './api/handle-errors.ts';
import type { HandlersOf } from './api/handlers.ts';
import { readJson } from './api/read-json.ts';
import { registerOperations } from './api/register-operations.ts';
import { nameRequests } from './api/request-id.ts';
import { changeRequestHandlers } from './change-requests/change-request-handlers.ts';
import { collectionHandlers } from './collections/collection-handlers.ts';
import { contentHandlers } from './content/content-handlers.ts';
import type { PlatformDeps } from './deps.ts';
import { descriptionHandlers } from './description-handlers.ts';
import { gitHandlers } from './git/git-handlers.ts';
import { memberHandlers } from './members/member-handlers.ts';
import { openapiHandlers } from './openapi/openapi-handlers.ts';
import { organizationHandlers } from './organizations/organization-handlers.ts';
import { searchHandlers } from './search/search-handlers.ts';
import { spaceHandlers } from './spaces/space-handlers.ts';
import { templateHandlers } from './templates/template-handlers.ts';
import { translationHandlers } from './translations/translation-handlers.ts';

/** The largest body that an operation takes, in bytes. */
const bodyLimit = 1024 * 1024;

/** Mounts the documentation platform's API under `/v1`. Work that runs behind it is begun by `startPlatformJobs`. */
export async function registerPlatform(fastify: FastifyInstance, deps: PlatformDeps): Promise<void> {
  const handlers: HandlersOf<OperationName> = {
    ...organizationHandlers(deps),
    ...memberHandlers(deps),
    ...collectionHandlers(deps),
    ...spaceHandlers(deps),
    ...searchHandlers(deps),
    ...contentHandlers(deps),
    ...templateHandlers(deps),
    ...changeRequestHandlers(deps),
    ...gitHandlers(deps),
    ...openapiHandlers(deps),
    ...translationHandlers(deps),
    ...descriptionHandlers(deps),
  };
  await fastify.register(
    async (api) => {
      api.decorateRequest('caller', null as unknown as typeof nobody);
      nameRequests(api);
      readJson(api);
      handleErrors(api, deps);
      api.addHook('onRoute', (route) => {
        route.bodyLimit ??= bodyLimit;
      });
      registerOperations(api, deps, handlers);
    },
    { prefix: '/v1' },
  );
}
