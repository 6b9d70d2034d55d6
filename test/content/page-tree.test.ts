import { readdirSync, readFileSync } from 'node:fs';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import type { PageTree } from '../../src/content/parse/page-tree.ts';
import { parseMarkdown } from '../../src/content/parse/parse-markdown.ts';
import { parsePage } from '../../src/content/parse/parse-page.ts';

/** One of each node that a page's walk asks for, in both syntaxes. */
const MARKDOWN = `---
title: Tést
---

# Heading *one* \`code\`

## [Link](a.md "title") and ![Picture **bold**](b.png)

Text  \nafter a break, <b>html</b>, <https://example.com>, www.example.com and name@example.com.

[Full][one], [collapsed][], [shortcut], ![picture][one], note.[^1]

[one]: <c d.md> 'Title'
[collapsed]: e.md
[shortcut]: #f

[^1]: A note.

| a | b |
|---|---|
| [x](y.md) | \`z\` |

- [ ] task
  > quote

***
~~~js
code
~~~
`;
const MDX = `import { A } from './a.js'
export const b = { c: 1 }

# Heading é

<A href="b.md" c={d + 1} e {...f}>text <B g='h' /></A>

<>
fragment {expression}
</>
`;

const folder = new URL('../../fixtures/content/facts/', import.meta.url);
const rows: (readonly [string, string, 'markdown' | 'mdx'])[] = [
  ['Markdown', MARKDOWN, 'markdown'],
  ['MDX', MDX, 'mdx'],
  ...readdirSync(folder)
    .filter((one) => one.endsWith('.md'))
    .map((one) => [one, readFileSync(new URL(one, folder), 'utf8'), 'markdown'] as const),
];

/** The ids in the order of the text. */
function* idsOf(tree: PageTree): Iterable<number> {
  const stack: number[] = [tree.root];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    yield id;
    tree.pushChildren(id, stack);
  }
}

function* nodesOf(root: Nodes): Iterable<Nodes> {
  yield root;
  if ('children' in root) for (const child of root.children) yield* nodesOf(child);
}

describe('PageTree', () => {
  it.each(rows)("says what the parser's own tree says: %s", (_name, source, syntax) => {
    const tree = parsePage(source, syntax);
    const ids = [...idsOf(tree)];
    const nodes = [...nodesOf(parseMarkdown(source, syntax))];
    expect(ids.map((id) => tree.typeOf(id))).toEqual(nodes.map((node) => node.type));
    for (const [at, id] of ids.entries()) {
      const found = tree.node(id);
      if (found !== null) expect(nodes[at]).toMatchObject(found);
    }
  });
});
