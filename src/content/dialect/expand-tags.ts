import type { BlockList } from './block-list.ts';
import { findTags, type Tag } from './tag-blocks.ts';

type Role = 'open' | 'close' | 'void' | 'stray';

/** Blocks without an end tag. Any other block that is never closed is removed, and its content stays. */
const STANDS_ALONE = /^(?:embed|file|include|content-ref|page-ref|swagger|openapi(?:-[a-z]+)?|@.*)$/;

/** Rewrites GitBook's blocks (`{% hint %}` … `{% endhint %}`) as markers on separate lines. Linear. */
export function expandTags(source: string, blocks: BlockList): string {
  const tags = findTags(source);
  if (tags.length === 0) return source;
  const roles = rolesOf(tags);
  const parts: string[] = [];
  let end = 0;
  for (let at = 0; at < tags.length; ) {
    const first = tags[at] as Tag;
    const start = first.start - (first.column - 1);
    const newline = source.indexOf('\n', first.end);
    const stop = newline === -1 ? source.length : newline;
    const onLine: Tag[] = [];
    while (at < tags.length && tags[at]?.line === first.line) onLine.push(tags[at++] as Tag);
    const write = (tag: Tag, indent: string) => markerOf(tag, roles.get(tag) ?? 'stray', blocks, indent);
    parts.push(source.slice(end, start), writeLine(source, { start, stop, tags: onLine }, write));
    end = stop;
  }
  return parts.join('') + source.slice(end);
}

/** Finds which tags have a body. */
function rolesOf(tags: readonly Tag[]): ReadonlyMap<Tag, Role> {
  const roles = new Map<Tag, Role>();
  const open: Tag[] = [];
  const counts = new Map<string, number>();
  for (const tag of tags) {
    const closes = tag.name.startsWith('end') && tag.name.length > 3 ? tag.name.slice(3) : null;
    if (closes === null) {
      open.push(tag);
      counts.set(tag.name, (counts.get(tag.name) ?? 0) + 1);
      continue;
    }
    if ((counts.get(closes) ?? 0) === 0) {
      roles.set(tag, 'stray');
      continue;
    }
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      counts.set(last.name, (counts.get(last.name) ?? 1) - 1);
      roles.set(last, last.name === closes ? 'open' : roleAlone(last));
      if (last.name === closes) break;
    }
    roles.set(tag, 'close');
  }
  for (const tag of open) roles.set(tag, roleAlone(tag));
  return roles;
}

function roleAlone(tag: Tag): Role {
  return STANDS_ALONE.test(tag.name) ? 'void' : 'stray';
}

function markerOf(tag: Tag, role: Role, blocks: BlockList, indent: string): string {
  if (role === 'stray') return '';
  if (role === 'close') return blocks.close();
  return role === 'void' ? blocks.empty(tag.name, tag.values, indent) : blocks.open(tag.name, tag.values);
}

/** Writes a line with each tag and each text between them as a separate paragraph, in the same quote and list. */
function writeLine(
  source: string,
  line: { readonly start: number; readonly stop: number; readonly tags: readonly Tag[] },
  write: (tag: Tag, indent: string) => string,
): string {
  const [first] = line.tags;
  const before = source.slice(line.start, first?.start);
  const prefix = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/.exec(before)?.[0] ?? '';
  const next = prefix.replace(/[^\s>]/g, ' ');
  const isTableRow = source.startsWith('|', line.start + prefix.length);
  const pieces: string[] = [];
  let end = line.start + prefix.length;
  const addText = (stop: number) => {
    const text = source.slice(end, stop);
    if (isTableRow) pieces.push(text);
    else if (text.trim() !== '') pieces.push(text.trim());
  };
  for (const tag of line.tags) {
    addText(tag.start);
    const marker = write(tag, next);
    if (marker !== '') pieces.push(isTableRow ? marker.replaceAll('\n', '') : marker);
    end = tag.end;
  }
  addText(line.stop);
  if (isTableRow) return prefix + pieces.join('');
  const apart = `\n${next.trimEnd()}\n${next}`;
  const lead = prefix === next ? `${next.trimEnd()}\n` : '';
  return `${lead}${prefix}${pieces.join(apart)}\n${next.trimEnd()}`;
}
