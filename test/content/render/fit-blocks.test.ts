import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type DocumentNode,
  type FragmentNode,
  renderPage,
  toDocument,
} from '../../../src/content/render/index.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { expectValidDocument, textOfDocument, textOfHtml } from './compare-texts.ts';

let count = 0;
const leaves: readonly (() => string)[] = [
  () => `Words ${++count} with [a link](p${count}.md).`,
  () => `## Heading ${++count}`,
  () => `\`\`\`js\ncode${++count}\n\`\`\``,
  () => `| a${++count} | b |\n| - | - |\n| [c](t${count}.md) | d |`,
  () => `<figure><img src="i${++count}.png" alt=""><figcaption><p>Caption ${count}</p></figcaption></figure>`,
  () => `{% content-ref url="c${++count}.md" %}\n[ref ${count}](c${count}.md)\n{% endcontent-ref %}`,
  () => `{% embed url="https://example.com/${++count}" %}`,
  () => `$$\nx${++count}\n$$`,
  () => '---',
];

const indent = (text: string) => text.replace(/\n(?=.)/g, '\n  ');
const containers: readonly ((inner: string) => string)[] = [
  (inner) => `{% hint style="info" %}\n${inner}\n{% endhint %}`,
  (inner) => `{% tabs %}\n{% tab title="Tab ${++count}" %}\n${inner}\n{% endtab %}\n{% endtabs %}`,
  (inner) => `{% stepper %}\n{% step %}\n${inner}\n{% endstep %}\n{% endstepper %}`,
  (inner) => `{% columns %}\n{% column %}\n${inner}\n{% endcolumn %}\n{% endcolumns %}`,
  (inner) => `<details>\n\n<summary>Summary ${++count}</summary>\n\n${inner}\n\n</details>`,
  (inner) => `* item\n\n  ${indent(inner)}`,
  (inner) => `> ${inner.replaceAll('\n', '\n> ')}`,
];

const blocks = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(...leaves).map((make) => make()),
    fc.tuple(fc.constantFrom(...containers), tie('blocks')).map(([wrap, inner]) => wrap(inner)),
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n\n')),
})).blocks;

it('contains in each block only what the published description allows, with all text, links and anchors', async () => {
  await fc.assert(
    fc.asyncProperty(blocks, async (markdown) => {
      const html = await renderPage(markdown, { dialect: 'gitbook' });
      const document = await toDocument(markdown, { dialect: 'gitbook' });
      expectValidDocument(document);
      expect(textOfDocument(document)).toBe(textOfHtml(html));
      const { links, anchors } = namesIn(document.nodes);
      expect(links).toEqual(new Set([...html.matchAll(/<a [^>]*href="([^"#]+)"/g)].map(([, href]) => href)));
      const ids = [...html.matchAll(/<h2[^>]* id="([^"]+)"/g)].map(([, id]) => id);
      expect(anchors.filter((anchor) => ids.includes(anchor))).toEqual(ids);
    }),
    propertyRuns(100),
  );
});

/** In their order in the page. */
function namesIn(nodes: readonly (DocumentNode | FragmentNode)[]) {
  const links = new Set<unknown>();
  const anchors: string[] = [];
  const stack = nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.object === 'text') continue;
    if (node.object === 'block' && node.meta !== undefined) {
      anchors.push(node.meta.id, ...(node.meta.aliases ?? []));
    }
    if (node.object !== 'fragment' && !/image/.test(node.type)) {
      const { ref } = node.data as { ref?: { url?: unknown } };
      if (ref !== undefined) links.add(ref.url);
    }
    stack.push(...node.nodes.toReversed());
    if (node.object === 'block') stack.push(...(node.fragments ?? []).toReversed());
  }
  return { links, anchors };
}
