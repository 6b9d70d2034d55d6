import type { PhrasingContent, RootContent } from 'mdast';
import { markdown } from '../../github/index.ts';
import type { Edits } from './describe-edits.ts';

const { BODY_LIMIT, code, link, list, paragraph, prose, text, writeMarkdown } = markdown;

/** Why edits come as a pull request where the configuration says that they are pushed. */
export type Obstacle =
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string };

/** What the pull request says: what it brings, from where, and what there is to settle. */
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
        'This pull request is kept current: further edits are added to it, and it follows its branch. Commits that others put here stay. Closed without merging, it comes back with the next edit only.',
      ),
    ),
  ]).slice(0, BODY_LIMIT);
}

function describe(obstacle: Obstacle | null, base: string): RootContent[] {
  if (obstacle === null) return [];
  if (obstacle.kind === 'refused')
    return [paragraph([text('They could not be pushed to '), code(base), text(`: ${obstacle.message}`)])];
  return [
    paragraph([
      text('Both the space and '),
      code(base),
      text(' changed these files, so somebody has to choose:'),
    ]),
    list(obstacle.paths.map((path) => [code(path)])),
  ];
}
