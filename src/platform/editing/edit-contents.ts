import path from 'node:path/posix';

/** An entry of a table of contents: its indentation, its bullet, its title and where it leads. */
const ENTRY = /^([ \t]*)([*+-])[ \t]+\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)>\s]*)>?[^)]*\)/;

interface NewEntry {
  /** The path of the table of contents, and of the new page. */
  readonly contents: string;
  readonly path: string;
  readonly title: string;
  /** The path of the page after which it is listed; null for the end. */
  readonly after: string | null;
}

/** Lists a page in a table of contents (`SUMMARY.md`); every other line stays as it is. */
export function addToContents(text: string, entry: NewEntry): string {
  const lines = text.split(/(?<=\n)/);
  const end = lines.find((line) => line.endsWith('\n'))?.endsWith('\r\n') === true ? '\r\n' : '\n';
  const folder = path.dirname(entry.contents);
  const destination = path.relative(folder === '.' ? '' : folder, entry.path);
  const found = lines.flatMap((line, index) => {
    const [, indent = '', bullet = '*', target = ''] = ENTRY.exec(line) ?? [];
    return ENTRY.test(line) ? [{ index, indent, bullet, target }] : [];
  });
  const model =
    found.find(({ target }) => entry.after !== null && pathOf(folder, target) === entry.after) ??
    found.findLast(({ indent }) => indent === '') ??
    found.at(-1);
  const { indent = '', bullet = '*' } = model ?? {};
  const line = `${indent}${bullet} [${escapeTitle(entry.title)}](${encodeURI(destination)})`;
  // Pages below the one before it stay below that.
  const at = model === undefined ? lines.length : lastBelow(lines, model.index, indent.length) + 1;
  const before = lines.slice(0, at).join('');
  const isOpen = before !== '' && !before.endsWith('\n');
  const rest = lines.slice(at).join('');
  return `${before}${isOpen ? end : ''}${line}${isOpen && rest === '' ? '' : end}${rest}`;
}

/** Adds a heading, under which later entries form a group. */
export function addContentsGroup(text: string, title: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const isOpen = text !== '' && !text.endsWith('\n');
  return `${text}${isOpen ? end : ''}${end}## ${title.replace(/\s+/g, ' ').trim()}${end}`;
}

function lastBelow(lines: readonly string[], index: number, indent: number): number {
  let last = index;
  for (let at = index + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const own = line.length - line.trimStart().length;
    if (own <= indent) break;
    last = at;
  }
  return last;
}

function pathOf(folder: string, target: string): string {
  let decoded = target.replace(/[?#].*$/, '');
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    // It is compared as it is written.
  }
  return path.join(folder, decoded);
}

function escapeTitle(title: string): string {
  return title.replace(/[\\[\]]/g, '\\$&');
}
