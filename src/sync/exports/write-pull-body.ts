import type { PhrasingContent, RootContent } from 'mdast';
import { markdown } from '../../github/index.ts';
import type { Edits } from './describe-edits.ts';

const { BODY_LIMIT, code, link, list, paragraph, prose, text, writeMarkdown } = markdown;

/** Why edits become a pull request although the configuration says to push them. */
export type Obstacle =
  /** `paths`: the files that both sides changed. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** `paths`: the files that the edits change. */
  | { readonly kind: 'refused'; readonly message: string; readonly paths: readonly string[] };

/** Further files are only counted. */
const MAX_NAMED = 100;

/** The text of the pull request: its edits, their space, and what a person has to resolve. */
export function writePullBody(
  edits: Edits,
  from: { readonly title: string; readonly url: string; readonly base: string },
  obstacle: Obstacle | null,
): string {
  const changes = edits.changes.map(({ subject, url, by }): PhrasingContent[] => [
    link(subject, url),
    ...(by === null ? [] : [text(` by ${by}`)]),
  ]);
  return writeMarkdown([
    paragraph([
      text('Edits of the space '),
      link(from.title, from.url),
      text(', for '),
      code(from.base),
      text('.'),
    ]),
    ...(changes.length === 0 ? [] : [list(changes)]),
    ...describe(obstacle, from.base),
    paragraph(
      prose(
        'This pull request is kept current: further edits are added to it, and its base branch is merged into it. Commits that others add here stay. If it is closed without merging, it comes back only with the next edit.',
      ),
    ),
  ]).slice(0, BODY_LIMIT);
}

function describe(obstacle: Obstacle | null, base: string): RootContent[] {
  if (obstacle === null) return [];
  if (obstacle.kind === 'refused')
    return [
      paragraph([text('They could not be pushed to '), code(base), text(`: ${obstacle.message}`)]),
      ...(obstacle.paths.length === 0
        ? []
        : [paragraph([text('They change these files:')]), listFiles(obstacle.paths)]),
    ];
  return [
    paragraph([
      text('Both the space and '),
      code(base),
      text(' changed these files, so somebody has to choose:'),
    ]),
    listFiles(obstacle.paths),
  ];
}

function listFiles(paths: readonly string[]): RootContent {
  const more = paths.length - MAX_NAMED;
  return list([
    ...paths.slice(0, MAX_NAMED).map((path): PhrasingContent[] => [code(path)]),
    ...(more > 0 ? [[text(`and ${more} more`)]] : []),
  ]);
}
