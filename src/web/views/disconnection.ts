import { html, type Markup } from '../../markup/index.ts';
import { formatAhead } from '../format.ts';

/** The sentence that a disconnected space will be deleted, after its reason. */
export function renderDeletionNotice(removedAt: string | null, now: Date): Markup | null {
  return removedAt === null
    ? null
    : html` Unless it is edited here or connected again, the space is deleted ${formatAhead(removedAt, now)}.`;
}
