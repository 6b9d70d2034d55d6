import type { BlockContent, ListItem, PhrasingContent, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';

/** A document that cannot be written as Markdown. The message completes a sentence about it. */
export class DocumentNotReadable extends Error {
  override readonly name = 'DocumentNotReadable';
}

const MAX_DEPTH = 40;
const MAX_NODES = 5_000;

const writer = unified().use(remarkGfm).use(remarkStringify, { bullet: '-', emphasis: '_' }).freeze();

/** A node as somebody sent it: nothing of it is checked. */
type Sent = Readonly<Record<string, unknown>>;

/**
 * Writes the nodes of a document as Markdown: what people write in comments (text with its marks, links, mentions, lists,
 * quotes, headings, code), and the text of everything else. `nameOf` names a mentioned user; `mentionsAs` says whether the
 * name is a link to `@<id>`, which comments read as a mention.
 *
 * @throws {DocumentNotReadable}
 */
export function documentToMarkdown(
  document: Sent,
  nameOf: (userId: string) => string | null,
  { mentionsAs = 'link' }: { readonly mentionsAs?: 'link' | 'text' } = {},
): string {
  let nodes = 0;

  function count(depth: number): void {
    nodes += 1;
    if (nodes > MAX_NODES) throw new DocumentNotReadable(`has more than ${MAX_NODES} nodes`);
    if (depth > MAX_DEPTH) throw new DocumentNotReadable(`is nested deeper than ${MAX_DEPTH} levels`);
  }

  function blocksOf(parent: Sent, depth: number): RootContent[] {
    return listOf(parent['nodes']).flatMap((node) => {
      count(depth);
      return block(node, depth);
    });
  }

  function block(node: Sent, depth: number): RootContent[] {
    const type = String(node['type'] ?? '');
    const below = () => blocksOf(node, depth + 1) as BlockContent[];
    const heading = /^heading-([1-6])$/.exec(type);
    if (node['object'] !== 'block') {
      const children = phrasing([node], depth);
      return children.length === 0 ? [] : [{ type: 'paragraph', children }];
    }
    if (heading) {
      return [
        {
          type: 'heading',
          depth: Number(heading[1]) as 1,
          children: phrasing(listOf(node['nodes']), depth + 1),
        },
      ];
    }
    switch (type) {
      case 'paragraph':
        return [{ type: 'paragraph', children: phrasing(listOf(node['nodes']), depth + 1) }];
      case 'list-ordered':
      case 'list-unordered':
      case 'list-tasks':
        return [
          {
            type: 'list',
            ordered: type === 'list-ordered',
            spread: false,
            children: listOf(node['nodes']).map((item) => listItem(item, depth + 1, type === 'list-tasks')),
          },
        ];
      case 'blockquote':
      case 'hint':
        return [{ type: 'blockquote', children: below() }];
      case 'divider':
        return [{ type: 'thematicBreak' }];
      case 'code': {
        const lang = dataOf(node)['syntax'];
        const value = listOf(node['nodes']).map(textOf).join('\n');
        return [{ type: 'code', lang: typeof lang === 'string' ? lang : null, value }];
      }
      default: {
        const children = listOf(node['nodes']);
        if (children.some((child) => child['object'] === 'block')) return below();
        const text = phrasing(children, depth + 1);
        return text.length === 0 ? [] : [{ type: 'paragraph', children: text }];
      }
    }
  }

  function listItem(node: Sent, depth: number, isTask: boolean): ListItem {
    count(depth);
    const children = blocksOf(node, depth + 1) as BlockContent[];
    const checked = isTask ? dataOf(node)['checked'] === true : null;
    return { type: 'listItem', spread: false, checked, children };
  }

  function phrasing(list: readonly Sent[], depth: number): PhrasingContent[] {
    return list.flatMap((node) => {
      count(depth);
      if (node['object'] === 'text') return listOf(node['leaves']).flatMap(leaf);
      return inline(node, depth);
    });
  }

  function inline(node: Sent, depth: number): PhrasingContent[] {
    const ref = (dataOf(node)['ref'] ?? {}) as Sent;
    const children = () => phrasing(listOf(node['nodes']), depth + 1);
    if (node['type'] === 'mention') {
      const userId = userIdOf(ref);
      const name = userId === null ? null : nameOf(userId);
      if (userId === null || name === null) return [];
      const text = { type: 'text' as const, value: `@${name}` };
      return mentionsAs === 'text' ? [text] : [{ type: 'link', url: `@${userId}`, children: [text] }];
    }
    if (node['type'] === 'emoji') {
      const code = String(dataOf(node)['code'] ?? '');
      return code === '' ? [] : [{ type: 'text', value: emojiOf(code) }];
    }
    if (node['type'] === 'link' && typeof ref['url'] === 'string') {
      return [{ type: 'link', url: ref['url'], children: children() as never }];
    }
    return children();
  }

  const root: Root = { type: 'root', children: blocksOf(document, 1) };
  return writer.stringify(root).trim();
}

/** The ids of the users whom a document mentions, at most `limit`. */
export function mentionedIn(document: Sent, limit: number): readonly string[] {
  const found = new Set<string>();
  const stack: { readonly node: Sent; readonly depth: number }[] = [{ node: document, depth: 0 }];
  for (let next = stack.pop(); next !== undefined && found.size < limit; next = stack.pop()) {
    const { node, depth } = next;
    const ref = (dataOf(node)['ref'] ?? {}) as Sent;
    const userId = node['type'] === 'mention' ? userIdOf(ref) : null;
    if (userId !== null) found.add(userId);
    if (depth > MAX_DEPTH) continue;
    for (const child of [...listOf(node['nodes']), ...listOf(node['fragments'])])
      stack.push({ node: child, depth: depth + 1 });
  }
  return [...found];
}

function userIdOf(ref: Sent): string | null {
  if (ref['kind'] !== 'user') return null;
  const user = ref['user'];
  const id = typeof user === 'object' && user !== null ? (user as Sent)['id'] : user;
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(id) ? id : null;
}

/** A text with its marks, the outermost first. */
function leaf(node: Sent): PhrasingContent[] {
  const text = String(node['text'] ?? '');
  if (text === '') return [];
  const marks = listOf(node['marks']).map(({ type }) => type);
  let content: PhrasingContent = marks.includes('code')
    ? { type: 'inlineCode', value: text }
    : { type: 'text', value: text };
  if (marks.includes('strikethrough')) content = { type: 'delete', children: [content] };
  if (marks.includes('italic')) content = { type: 'emphasis', children: [content] };
  if (marks.includes('bold')) content = { type: 'strong', children: [content] };
  return [content];
}

function textOf(node: Sent): string {
  const own = listOf(node['leaves'])
    .map(({ text }) => String(text ?? ''))
    .join('');
  return own + listOf(node['nodes']).slice(0, MAX_NODES).map(textOfShallow).join('');
}

/** Of a line of code: its texts and those of the inlines in it. */
function textOfShallow(node: Sent): string {
  const leaves = [...listOf(node['leaves']), ...listOf(node['nodes']).flatMap((n) => listOf(n['leaves']))];
  return leaves.map(({ text }) => String(text ?? '')).join('');
}

/** Emoji are sent as code points in hexadecimal digits, such as `1f680`. */
function emojiOf(code: string): string {
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  const isValid = points.every((point) => Number.isInteger(point) && point > 0x1f && point <= 0x10ffff);
  return isValid ? String.fromCodePoint(...points) : '';
}

function listOf(value: unknown): readonly Sent[] {
  return Array.isArray(value)
    ? value.filter((item): item is Sent => typeof item === 'object' && item !== null)
    : [];
}

function dataOf(node: Sent): Sent {
  const data = node['data'];
  return typeof data === 'object' && data !== null ? (data as Sent) : {};
}
