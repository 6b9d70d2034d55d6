import type { GitOperation } from '../../client/index.ts';
import { html } from '../../markup/index.ts';
import { spacePartPath } from '../addresses.ts';
import type { SpaceRepository } from '../scheduled.ts';
import { describeWay } from './change-request-repository.ts';
import { renderMore } from './more-link.ts';
import { renderOperationsTable } from './operations-table.ts';
import type { PageNews } from './organization-frame.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** All imports and exports of a space, newest first, each with its outcome. */
export function renderSpaceSyncs(
  options: PageNews & {
    readonly frame: SpaceFrame;
    readonly operations: readonly GitOperation[];
    readonly repository: SpaceRepository | null;
    readonly maySync: boolean;
    readonly more: string | null;
    readonly now: Date;
  },
): string {
  const { frame, operations, repository, maySync, more, now } = options;
  return renderSpacePage({
    ...frame,
    ...options,
    tab: 'syncs',
    main: html`<div class="title-row"><h1>Syncs</h1>${maySync ? html`<form method="post" action="${spacePartPath(frame.space.id, 'syncs')}"><button type="submit">Sync now</button></form>` : null}</div>
<p class="lead">A push imports by itself.${repository === null ? null : html` ${describeWay(repository, false)}`}</p>
${renderOperationsTable(operations, now)}
${renderMore(more, 'Earlier syncs')}`,
  });
}
