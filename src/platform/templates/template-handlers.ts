import type { HandlersOf } from '../api/handlers.ts';
import type { PlatformDeps } from '../deps.ts';
import { applyTemplate } from './apply-template.ts';

export function templateHandlers(deps: PlatformDeps): HandlersOf<'applyTemplate'> {
  return {
    applyTemplate: ({ caller, params, body }) => applyTemplate(deps, caller, params.spaceId, body),
  };
}
