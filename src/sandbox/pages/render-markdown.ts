import type { Heading, ListItem, Nodes, PhrasingContent, RootContent, Table } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { type SafeHtml, safeHtml } from './html.ts';

const parser = remark().use(remarkGfm);
/** Summaries are shorter by GitHub's own limit. */
const MAX_CHARACTERS = 65_535;

/** Renders Markdown of a check run: HTML in it is shown as text, images as links, and links lead to http addresses only. */
export function renderMarkdown(text: string): SafeHtml {
  const { children } = parser.parse(text.slice(0, MAX_CHARACTERS));
  const top = Math.min(...children.map((node) => (node.type === 'heading' ? node.depth : 6)));
  return safeHtml`${children.map((node) => (node.type === 'heading' ? heading(node, top) : renderNode(node)))}`;
}

/** The highest heading of a summary is below that of its check run, which is an h3. */
function heading(node: Heading, top: number): SafeHtml {
  const level = node.depth - top;
  if (level === 0) return safeHtml`<h4>${inside(node)}</h4>`;
  return level === 1 ? safeHtml`<h5>${inside(node)}</h5>` : safeHtml`<h6>${inside(node)}</h6>`;
}

function inside(node: { readonly children: readonly (RootContent | PhrasingContent)[] }): SafeHtml[] {
  return node.children.map(renderNode);
}

function link(url: string, content: SafeHtml | SafeHtml[] | string): SafeHtml {
  return /^https?:\/\//i.test(url)
    ? safeHtml`<a href="${url}" rel="nofollow noopener">${content}</a>`
    : safeHtml`${content}`;
}

/** Items of a tight list have no paragraph around their text. */
function listItem(node: ListItem): SafeHtml[] {
  return node.children.map((child) =>
    child.type === 'paragraph' && node.spread !== true ? safeHtml`${inside(child)}` : renderNode(child),
  );
}

/** A table that scrolls when it is wider than the page. */
function table({ children: [head, ...rows] }: Table): SafeHtml {
  return safeHtml`<div class="scroll" tabindex="0"><table><thead><tr>${head?.children.map((cell) => safeHtml`<th scope="col">${inside(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => safeHtml`<tr>${row.children.map((cell) => safeHtml`<td>${inside(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
}

function renderNode(node: Nodes): SafeHtml {
  switch (node.type) {
    case 'paragraph':
      return safeHtml`<p>${inside(node)}</p>`;
    case 'heading':
      // A heading within a quote or a list is not part of the outline.
      return safeHtml`<p><strong>${inside(node)}</strong></p>`;
    case 'emphasis':
      return safeHtml`<em>${inside(node)}</em>`;
    case 'strong':
      return safeHtml`<strong>${inside(node)}</strong>`;
    case 'delete':
      return safeHtml`<del>${inside(node)}</del>`;
    case 'inlineCode':
      return safeHtml`<code>${node.value}</code>`;
    case 'code':
      return safeHtml`<pre tabindex="0"><code>${node.value}</code></pre>`;
    case 'blockquote':
      return safeHtml`<blockquote>${inside(node)}</blockquote>`;
    case 'list':
      return node.ordered ? safeHtml`<ol>${inside(node)}</ol>` : safeHtml`<ul>${inside(node)}</ul>`;
    case 'listItem':
      return safeHtml`<li>${node.checked === true ? '☑ ' : node.checked === false ? '☐ ' : ''}${listItem(node)}</li>`;
    case 'table':
      return table(node);
    case 'link':
      return link(node.url, inside(node));
    case 'image':
      return link(node.url, node.alt || node.url);
    case 'break':
      return safeHtml`<br>`;
    case 'thematicBreak':
      return safeHtml`<hr>`;
    case 'text':
    case 'html':
      return safeHtml`${node.value}`;
    default:
      return 'children' in node ? safeHtml`${inside(node)}` : safeHtml``;
  }
}
