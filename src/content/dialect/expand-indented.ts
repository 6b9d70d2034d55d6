import { LineFence, skipFrontMatter } from '../text/index.ts';
import type { BlockList } from './block-list.ts';

/** Columns by which the content of a block is indented. */
const STEP = 4;

/** Blocks inside one another; deeper ones stay text. */
const MAX_DEPTH = 50;

const ADMONITION = /^(!!!|\?\?\?\+?)[ \t]+([\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*(?:"([^"]*)")?[ \t]*$/;
const TAB = /^===([!+]{0,2})[ \t]+(?:"([^"]+)"|'([^']+)')[ \t]*$/;
const OBJECT = /^:::[ \t]+([A-Za-z_][\w.:-]*)$/;
const SNIPPET = /^-+8<-+[ \t]+(["'])(.+?)\1$/;

/**
 * Rewrites the blocks of Python-Markdown and Material (`!!! note "Title"`, `??? tip`, `=== "Tab"`; see
 * https://squidfunk.github.io/mkdocs-material/reference/admonitions/) as markers, and removes the indent of their content.
 */
export function expandIndented(source: string, blocks: BlockList): string {
  const lines = source.split('\n');
  const start = skipFrontMatter(lines);
  const fence = new LineFence();
  /** The columns at which the contents of the open blocks begin. */
  const open: number[] = [];
  const written: string[] = lines.slice(0, start);
  /** Lines with at least this indent are options of the block before them. */
  let optionsFrom = Number.POSITIVE_INFINITY;
  for (const line of lines.slice(start)) {
    const text = line.trim();
    if (text === '') {
      written.push('');
      continue;
    }
    const indent = indentOf(line);
    if (indent >= optionsFrom) continue;
    optionsFrom = Number.POSITIVE_INFINITY;
    for (let at = open.at(-1); at !== undefined && indent < at; at = open.at(-1)) {
      open.pop();
      fence.close();
      written.push('', ' '.repeat(at - STEP * (open.length + 1)) + blocks.close(), '');
    }
    const dedented = open.length === 0 ? line : ' '.repeat(indent - STEP * open.length) + line.trimStart();
    const block = fence.isInFence(dedented) || open.length >= MAX_DEPTH ? null : readBlock(text);
    if (block === null) {
      // A heading needs no space after its number signs.
      written.push(dedented.replace(/^(#{1,6})(?=[^#\s])/, '$1 '));
      continue;
    }
    const margin = ' '.repeat(indent - STEP * open.length);
    const marker = block.isVoid
      ? blocks.empty(block.kind, block.values, margin)
      : blocks.open(block.kind, block.values);
    written.push('', margin + marker, '');
    if (block.kind === 'object') optionsFrom = indent + STEP;
    if (block.isVoid) continue;
    if (block.title !== '')
      written.push(margin + blocks.open('title'), '', margin + block.title, '', margin + blocks.close(), '');
    open.push(indent + STEP);
  }
  while (open.length > 0) {
    open.pop();
    written.push('', blocks.close());
  }
  return written.join('\n');
}

function readBlock(text: string) {
  const admonition = /^[!?]{3}/.test(text) ? ADMONITION.exec(text) : null;
  if (admonition !== null) {
    const [, marker = '', words = 'note', title] = admonition;
    const [style = 'note'] = words.split(/\s+/);
    const kind = marker === '!!!' ? 'hint' : 'details';
    const values = new Map([
      ['style', style.toLowerCase()],
      ['open', marker.endsWith('+') ? 'open' : ''],
    ]);
    // An empty title hides it.
    return { kind, values, title: title ?? capitalised(style), isVoid: false };
  }
  const tab = text.startsWith('===') ? TAB.exec(text) : null;
  if (tab !== null) return { kind: 'tab', values: new Map(), title: tab[2] ?? tab[3] ?? '', isVoid: false };
  const object = text.startsWith(':::') ? OBJECT.exec(text)?.[1] : undefined;
  if (object !== undefined)
    return { kind: 'object', values: new Map([['', object]]), title: '', isVoid: true };
  const file = text.includes('8<') ? SNIPPET.exec(text)?.[2] : undefined;
  if (file !== undefined) return { kind: 'include', values: new Map([['', file]]), title: '', isVoid: true };
  return null;
}

function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += STEP - (columns % STEP);
    else break;
  }
  return columns;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
