import type { BlockContent, Heading, List, ListItem, Nodes, Paragraph, Root } from 'mdast';
import {
  type ContentsEntry,
  MAX_CONTENTS_DEPTH,
  MAX_CONTENTS_ENTRIES,
  MAX_TEXT_LENGTH,
} from '../model/index.ts';
import { readComputed, titleOf } from './read-computed.ts';

/** The entries of a table of contents, and whether there were more than are read. */
export interface ContentsRead {
  readonly entries: readonly ContentsEntry[];
  readonly isFull: boolean;
}

/**
 * Reads a `SUMMARY.md`: nested lists are nested entries, a heading below the first level starts a group, a rule
 * (`***`) ends it. An item without a link is a level without a page.
 */
export function readContents(root: Root): ContentsRead {
  const budget = new EntryBudget();
  const entries: ContentsEntry[] = [];
  let open: { readonly children: ContentsEntry[] } | null = null;
  for (const node of root.children) {
    const into: ContentsEntry[] = open?.children ?? entries;
    if (node.type === 'heading') {
      open = null;
      const title = textOf(node);
      if (node.depth === 1 || title === '') continue;
      const children: ContentsEntry[] = [];
      const id = idOf(node);
      if (!budget.spend()) break;
      entries.push({ type: 'group', title, target: null, ...(id === null ? {} : { id }), children });
      open = { children };
    } else if (node.type === 'thematicBreak') {
      open = null;
    } else if (node.type === 'list') {
      readList(node, 1, into, budget);
    } else if (node.type === 'paragraph') {
      // Chapters before and after the numbered ones are plain links.
      for (const link of node.children) {
        if (link.type === 'link' && link.url !== '' && budget.spend())
          into.push({ type: 'item', title: textOf(link), target: link.url, children: [] });
      }
    }
  }
  return { entries, isFull: budget.isExceeded };
}

class EntryBudget {
  isExceeded = false;
  #left = MAX_CONTENTS_ENTRIES;

  /** @returns false when there are no entries left */
  spend(): boolean {
    if (this.#left === 0) this.isExceeded = true;
    else this.#left -= 1;
    return !this.isExceeded;
  }
}

/** Entries count in the order of the file, so that the first are those that are read. */
function readList(list: List, depth: number, into: ContentsEntry[], budget: EntryBudget): void {
  for (const item of list.children) {
    if (budget.isExceeded) return;
    const entry = readEntry(item);
    // An item without a title (a block of settings for generated pages) is no entry; its own entries move up.
    if (entry !== null && !budget.spend()) return;
    const children = entry === null ? into : [];
    if (entry !== null) into.push({ ...entry, children });
    if (depth === MAX_CONTENTS_DEPTH) continue;
    for (const inner of childLists(item)) readList(inner, depth + 1, children, budget);
  }
}

function readEntry(item: ListItem): Omit<ContentsEntry, 'children'> | null {
  const computed = readComputed(item);
  if (computed !== null) return { type: 'item', title: titleOf(computed), target: null, computed };
  const paragraph = item.children.find((child): child is Paragraph => child.type === 'paragraph');
  const read = paragraph === undefined ? null : readItem(paragraph);
  return read === null || (read.title === '' && read.target === null) ? null : read;
}

function childLists(item: ListItem): List[] {
  return item.children.filter((child: BlockContent | Nodes): child is List => child.type === 'list');
}

type Item = Pick<ContentsEntry, 'title' | 'target' | 'label'> & { readonly type: 'item' };

function readItem(paragraph: Paragraph): Item {
  const link = paragraph.children.find((child) => child.type === 'link');
  if (link === undefined) return { type: 'item', title: textOf(paragraph), target: null };
  const label = link.title?.trim().slice(0, MAX_TEXT_LENGTH);
  const target = link.url === '' ? null : link.url;
  return { type: 'item', title: textOf(link), target, ...(label ? { label } : {}) };
}

/** The explicit id of a heading, `## Title <a href="#slug" id="slug"></a>`. */
function idOf(heading: Heading): string | null {
  for (const node of heading.children) {
    const id = node.type === 'html' ? /\bid="([^"]+)"/.exec(node.value.slice(0, 1_000))?.[1] : undefined;
    if (id !== undefined) return id;
  }
  return null;
}

function textOf(node: Heading | Paragraph | Nodes): string {
  let text = '';
  const stack: Nodes[] = [node];
  for (let next = stack.pop(); next !== undefined && text.length < MAX_TEXT_LENGTH; next = stack.pop()) {
    if (next.type === 'text' || next.type === 'inlineCode') text += next.value;
    else if ('children' in next) stack.push(...([...next.children].reverse() as Nodes[]));
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
}
