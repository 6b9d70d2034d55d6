import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { applyTemplate } from './apply-template.ts';

export function templateHandlers(deps: PlatformDeps): HandlersOf<'templates'> {
  return {
    applyTemplate: ({ caller, params, body }) => applyTemplate(deps, caller, params.spaceId, body),
  };
}
