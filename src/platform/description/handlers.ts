import { describeApi, operations } from '../../contract/index.ts';
import { currentRelease } from '../../store/index.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';

export function descriptionHandlers(deps: PlatformDeps): HandlersOf<'description'> {
  const description = describeApi(operations, {
    serverUrl: `${deps.publicUrl}/v1`,
    version: currentRelease.release,
  });
  return { getDescription: async () => description };
}
