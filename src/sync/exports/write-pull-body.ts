import type { Edits } from './describe-edits.ts';

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
  const parts = [
    `Edits of the space [${plain(from.title)}](${from.url}), for \`${from.base}\`.`,
    edits.changes
      .map(({ subject, url, by }) => `* [${plain(subject)}](${url})${by ? ` by ${plain(by)}` : ''}`)
      .join('\n'),
    describe(obstacle, from.base),
    'This pull request is kept current: further edits are added to it, and it follows its branch. Commits that others put here stay. Closed without merging, it comes back with the next edit only.',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describe(obstacle: Obstacle | null, base: string): string {
  if (obstacle === null) return '';
  if (obstacle.kind === 'refused')
    return `They could not be pushed to \`${base}\`: ${plain(obstacle.message)}`;
  const paths = obstacle.paths.map((path) => `* \`${path.replaceAll('`', '')}\``).join('\n');
  return `Both the space and \`${base}\` changed these files, so somebody has to choose:\n\n${paths}`;
}

/** Titles are people's words, not Markdown, and mention nobody. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
    .replaceAll('@', '@\u200B')
    .replace(/\s+/g, ' ');
}
