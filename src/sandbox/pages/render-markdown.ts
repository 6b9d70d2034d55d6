import type { Heading, ListItem, Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { html, type Markup } from './html.ts';

const parser = remark().use(remarkGfm);
/** Summaries are shorter by GitHub's own limit. */
const MAX_CHARACTERS = 65_535;

/** Markdown of a check run as markup: HTML in it is shown as text, pictures as links, and links go to http addresses only. */
export function renderMarkdown(text: string): Markup {
  const { children } = parser.parse(text.slice(0, MAX_CHARACTERS));
  const top = Math.min(...children.map((node) => (node.type === 'heading' ? node.depth : 6)));
  return html`${children.map((node) => (node.type === 'heading' ? heading(node, top) : renderNode(node)))}`;
}

/** The highest heading of a summary stands below that of its check run, which is an h3. */
function heading(node: Heading, top: number): Markup {
  const level = node.depth - top;
  if (level === 0) return html`<h4>${inside(node)}</h4>`;
  return level === 1 ? html`<h5>${inside(node)}</h5>` : html`<h6>${inside(node)}</h6>`;
}

function inside(node: { readonly children: readonly (RootContent | PhrasingContent)[] }): Markup[] {
  return node.children.map(renderNode);
}

function link(url: string, content: Markup | Markup[] | string): Markup {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="nofollow noopener">${content}</a>`
    : html`${content}`;
}

/** Items of a tight list hold their words without a paragraph around them. */
function listItem(node: ListItem): Markup[] {
  return node.children.map((child) =>
    child.type === 'paragraph' && node.spread !== true ? html`${inside(child)}` : renderNode(child),
  );
}

/** May be wider than the page, and then scrolls by itself. */
function table({ children: [head, ...rows] }: Table): Markup {
  return html`<div class="scroll"><table><thead><tr>${head?.children.map((cell) => html`<th scope="col">${inside(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.children.map((cell) => html`<td>${inside(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
}

function renderNode(node: Nodes): Markup {
  switch (node.type) {
    case 'paragraph':
      return html`<p>${inside(node)}</p>`;
    case 'heading':
      // Within a quote or a list, where an outline does not look.
      return html`<p><strong>${inside(node)}</strong></p>`;
    case 'emphasis':
      return html`<em>${inside(node)}</em>`;
    case 'strong':
      return html`<strong>${inside(node)}</strong>`;
    case 'delete':
      return html`<del>${inside(node)}</del>`;
    case 'inlineCode':
      return html`<code>${node.value}</code>`;
    case 'code':
      return html`<pre><code>${node.value}</code></pre>`;
    case 'blockquote':
      return html`<blockquote>${inside(node)}</blockquote>`;
    case 'list':
      return node.ordered ? html`<ol>${inside(node)}</ol>` : html`<ul>${inside(node)}</ul>`;
    case 'listItem':
      return html`<li>${node.checked === true ? '☑ ' : node.checked === false ? '☐ ' : ''}${listItem(node)}</li>`;
    case 'table':
      return table(node);
    case 'link':
      return link(node.url, inside(node));
    case 'image':
      return link(node.url, node.alt || node.url);
    case 'break':
      return html`<br>`;
    case 'thematicBreak':
      return html`<hr>`;
    case 'text':
    case 'html':
      return html`${node.value}`;
    default:
      return 'children' in node ? html`${inside(node)}` : html``;
  }
}
