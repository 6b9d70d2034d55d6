import type { ChangeRequest } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath } from '../addresses.ts';
import type { Crumb } from './crumbs.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** The frame of the pages about change requests of a space. */
export function renderChangeRequestPage(page: {
  readonly frame: SpaceFrame;
  /** Null for the list of all. */
  readonly changeRequest: Pick<ChangeRequest, 'number'> | null;
  /** Levels below the change request. */
  readonly crumbs?: readonly Crumb[];
  readonly title: string;
  /** What was just done; null for nothing. */
  readonly news: string | null;
  /** What is wrong with a form that was sent. */
  readonly problem: string | null;
  readonly main: Markup;
}): string {
  const { frame, changeRequest, crumbs = [], title, news, problem, main } = page;
  const { space } = frame;
  return renderSpacePage({
    ...frame,
    tab: 'changeRequests',
    title,
    crumbs:
      changeRequest === null
        ? []
        : [
            { title: `#${changeRequest.number}`, href: changeRequestPath(space.id, changeRequest.number) },
            ...crumbs,
          ],
    news,
    problem,
    main,
  });
}

const STATES = {
  draft: { words: 'Draft', tone: 'idle' },
  open: { words: 'Open', tone: 'good' },
  merged: { words: 'Merged', tone: 'merged' },
  archived: { words: 'Archived', tone: 'idle' },
} as const;

export function renderRequestState({ status }: Pick<ChangeRequest, 'status'>): Markup {
  const { words, tone } = STATES[status];
  return html`<span class="state ${tone}">${words}</span>`;
}

export function subjectOf({ subject }: Pick<ChangeRequest, 'subject'>): string {
  return subject.trim() === '' ? 'Without a subject' : subject;
}

/** The sign for somebody: the first letters of their name. */
export function renderAvatar(name: string): Markup {
  const initials = name
    .split(/\s+/)
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, 2)
    .join('');
  return html`<span class="avatar" aria-hidden="true">${initials.toUpperCase()}</span>`;
}
