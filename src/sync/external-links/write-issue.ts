import type { ListItem } from 'mdast';
import { markdown } from '../../github/index.ts';
import type { ExternalFinding } from '../../store/index.ts';

const { BODY_LIMIT, code, comment, list, listItem, paragraph, readItemCodes, text, writeMarkdown } = markdown;

/** Identifies the issue. */
const MARK = comment('docloom: links outside');
export const ISSUE_MARK = writeMarkdown([MARK]).trimEnd();
export const ISSUE_TITLE = 'Dead links to other sites';

const MAX_LISTED = 200;
const MAX_USES = 5;

/** A dead address with the lines that link to it, each with its address on GitHub. */
export interface DeadLink extends Pick<ExternalFinding, 'url' | 'detail' | 'since'> {
  readonly uses: readonly { readonly path: string; readonly line: number; readonly href: string }[];
}

/** The text of the issue; the same for the same links. */
export function writeIssue(dead: readonly DeadLink[]): string {
  if (dead.length === 0)
    return writeMarkdown([paragraph([text('No link to another site is dead any more.')]), MARK]);
  const head = paragraph([
    text(
      'Requests to these addresses have failed for days. Fix or remove each link; this issue is updated automatically and closes when none is left.',
    ),
  ]);
  const items: ListItem[] = [];
  let length = writeMarkdown([head]).length + 500;
  for (const link of dead.slice(0, MAX_LISTED)) {
    const item = describe(link);
    length += writeMarkdown([list([item])]).length;
    if (length > BODY_LIMIT) break;
    items.push(item);
  }
  const more = dead.length - items.length;
  const rest = more === 0 ? [] : [paragraph([text(`And ${more} more.`)])];
  return writeMarkdown([head, list(items), ...rest, MARK]);
}

function describe({ url, detail, since, uses }: DeadLink): ListItem {
  const day = since.toISOString().slice(0, 10);
  const more = uses.length - MAX_USES;
  return listItem(
    [code(url), text(`: dead since ${day}. ${detail ?? ''}`.trimEnd())],
    [
      ...uses
        .slice(0, MAX_USES)
        .map(({ path, line, href }) => [
          { type: 'link' as const, url: href, children: [code(`${path}:${line}`)] },
        ]),
      ...(more > 0 ? [[text(`and ${more} more`)]] : []),
    ],
  );
}

/** The addresses that an issue's text names, also as it was written by earlier releases. */
export function listedUrls(body: string): ReadonlySet<string> {
  return new Set(readItemCodes(body));
}
