import type { Nodes, PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { html, type Markup } from './html.ts';

const parser = remark().use(remarkGfm);
/** Summaries are shorter by GitHub's own limit. */
const MAX_CHARACTERS = 65_535;

/** Markdown of a check run as markup: HTML in it is shown as text, pictures as links, and links go to http addresses only. */
export function renderMarkdown(text: string): Markup {
  return html`${parser.parse(text.slice(0, MAX_CHARACTERS)).children.map(renderNode)}`;
}

function inside(node: { readonly children: readonly (RootContent | PhrasingContent)[] }): Markup[] {
  return node.children.map(renderNode);
}

function link(url: string, content: Markup | Markup[] | string): Markup {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="nofollow noopener">${content}</a>`
    : html`${content}`;
}

function renderNode(node: Nodes): Markup {
  switch (node.type) {
    case 'paragraph':
      return html`<p>${inside(node)}</p>`;
    case 'heading':
      // Headings of a summary stand below those of the page.
      return node.depth < 3 ? html`<h4>${inside(node)}</h4>` : html`<h5>${inside(node)}</h5>`;
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
      return html`<li>${node.checked === true ? '☑ ' : node.checked === false ? '☐ ' : ''}${inside(node)}</li>`;
    case 'table':
      return html`<table>${inside(node)}</table>`;
    case 'tableRow':
      return html`<tr>${inside(node)}</tr>`;
    case 'tableCell':
      return html`<td>${inside(node)}</td>`;
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
