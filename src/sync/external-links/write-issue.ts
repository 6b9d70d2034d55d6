import type { ExternalFinding } from '../../store/index.ts';

/** By this line the issue is found again. */
export const ISSUE_MARK = '<!-- docloom: links outside -->';
export const ISSUE_TITLE = 'Dead links to other sites';

/** GitHub takes 65,536 characters. */
const MAX_BODY = 60_000;
const MAX_LISTED = 200;
const MAX_USES = 5;

/** A dead address with the lines that link to it, each with its address in the browser. */
export interface DeadLink extends Pick<ExternalFinding, 'url' | 'detail' | 'since'> {
  readonly uses: readonly { readonly path: string; readonly line: number; readonly href: string }[];
}

/** What the issue says. The same links give the same text. */
export function writeIssue(dead: readonly DeadLink[]): string {
  if (dead.length === 0) {
    return `No link to another site is dead any more.\n\n${ISSUE_MARK}\n`;
  }
  const head =
    'These addresses gave no good answer for days, at several looks. Put each right, or take it out; the issue follows by itself and closes when none is left.';
  const items: string[] = [];
  let length = head.length + 500;
  for (const one of dead.slice(0, MAX_LISTED)) {
    const item = writeItem(one);
    length += item.length + 1;
    if (length > MAX_BODY) break;
    items.push(item);
  }
  const more = dead.length - items.length;
  const rest = more === 0 ? [] : [`And ${more} more.`];
  return `${[head, items.join('\n'), ...rest, ISSUE_MARK].join('\n\n')}\n`;
}

function writeItem({ url, detail, since, uses }: DeadLink): string {
  const said =
    `* ${code(url)}: dead since ${since.toISOString().slice(0, 10)}. ${plain(detail ?? '')}`.trimEnd();
  const lines = uses
    .slice(0, MAX_USES)
    .map(({ path, line, href }) => `  * [${code(`${path}:${line}`)}](${href})`);
  const more = uses.length - MAX_USES;
  return [said, ...lines, ...(more > 0 ? [`  * and ${more} more`] : [])].join('\n');
}

/** Whether an issue's text names an address. */
export function names(body: string, url: string): boolean {
  return body.includes(`* ${code(url)}:`);
}

/** Code that nothing can leave: a fence longer than any run of backticks in it. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Words of a server are no Markdown, and mention nobody. */
function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
    .replaceAll('@', '@\u200B')
    .replace(/\s+/g, ' ');
}
