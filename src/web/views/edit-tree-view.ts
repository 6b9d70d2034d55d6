import type { ChangeRequest, FileAction, FilePlan, PageResource } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath, editPath, editTreePath } from '../addresses.ts';
import { formatMessage, plural } from '../format.ts';
import { editorStyles, treeScript } from '../stylesheet.ts';
import type { PageNews } from './organization-frame.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';
import { textInput } from './text-input.ts';

/** Pages that are listed; others are reached by their path. */
const MAX_ROWS = 2_000;
const MAX_DEPTH = 12;

const FILES = 'Files';

interface TreeFrame extends PageNews {
  readonly frame: SpaceFrame;
  readonly changeRequest: ChangeRequest | null;
}

export interface EditTree extends TreeFrame {
  readonly pages: readonly PageResource[];
  /** Files that are no pages, such as pictures. */
  readonly files: readonly string[];
  readonly moreFiles: number;
  /** The path of the file or folder that is to be changed; empty for none. */
  readonly selected: string;
  readonly hasContents: boolean;
}

/** The pages of a space as its writers see them: each opens in the editor, and is moved, renamed and deleted by forms. */
export function renderEditTree(tree: EditTree): string {
  const { changeRequest, pages, selected } = tree;
  const { space } = tree.frame;
  const counter = { left: MAX_ROWS };
  return inFrame(
    tree,
    FILES,
    html`<h1>Files</h1>
<p class="lead">${
      changeRequest === null
        ? 'Changes go into a new change request; readers see them when it is merged.'
        : html`Changes go into change request #${changeRequest.number}${changeRequest.subject === '' ? null : html`, ${changeRequest.subject}`}.`
    }</p>
${changeRequest === null ? null : html`<p><a class="button" href="${changeRequestPath(space.id, changeRequest.number)}">Open change request #${changeRequest.number}</a></p>`}
<div class="beside edit-files">
<section class="edit-tree" aria-labelledby="docloom-tree" data-tree="${editTreePath(space.id, numberOf(tree))}"><h2 id="docloom-tree">Pages</h2>
${renderRows(tree, pages, 1, counter) ?? html`<p class="soft small">No pages yet.</p>`}
${counter.left > 0 ? null : html`<p class="soft small">Only the first ${MAX_ROWS} pages are listed. Name any other by its path.</p>`}
${renderFiles(tree)}
</section>
<div class="edit-forms">
${renderSelected(tree)}
${renderCreate(tree, selected)}
</div>
</div>
<script type="module" src="${treeScript().href}"></script>`,
  );
}

function renderRows(
  tree: EditTree,
  pages: readonly PageResource[],
  depth: number,
  counter: { left: number },
): Markup | null {
  if (pages.length === 0 || depth > MAX_DEPTH) return null;
  const rows: Markup[] = [];
  for (const page of pages) {
    if (counter.left <= 0) break;
    counter.left -= 1;
    const path = page.git?.path;
    rows.push(html`<li>${
      path === undefined ? html`<span class="group">${page.title}</span>` : renderRow(tree, path, page.title)
    }${renderRows(tree, page.pages, depth + 1, counter)}</li>
`);
  }
  return html`<ul>
${rows}</ul>`;
}

function renderRow({ frame: { space }, selected, ...tree }: EditTree, path: string, title: string): Markup {
  const number = numberOf(tree);
  const isOpen = path === selected;
  return html`<div class="edit-file" data-path="${path}"><a href="${editPath(space.id, path, number)}">${title}</a>
<code class="soft small">${path}</code>
<a class="small" href="${withPath(editTreePath(space.id, number), path)}#docloom-selected"${isOpen ? html` aria-current="true"` : null}>Move or delete<span class="visually-hidden"> ${title}</span></a></div>`;
}

function renderFiles(tree: EditTree): Markup | null {
  const { files, moreFiles } = tree;
  const { space } = tree.frame;
  if (files.length === 0) return null;
  const number = numberOf(tree);
  return html`<details><summary>${plural(files.length + moreFiles, 'other file')}</summary>
<ul>
${files.map((path) => html`<li><div class="edit-file" data-path="${path}"><code>${path}</code> <a class="small" href="${withPath(editTreePath(space.id, number), path)}#docloom-selected">Move or delete<span class="visually-hidden"> ${path}</span></a></div></li>\n`)}</ul>
${moreFiles > 0 ? html`<p class="soft small">… and ${moreFiles} more. Name any of them by its path.</p>` : null}</details>`;
}

/** The forms for one file or folder. Each shows what follows from it before anything is done. */
function renderSelected(tree: EditTree): Markup {
  const { selected } = tree;
  const path = (id: string) =>
    textInput({
      id: `docloom-${id}-path`,
      name: 'path',
      label: 'File or folder',
      type: 'text',
      autocomplete: 'off',
      maxLength: 1024,
      value: selected,
    });
  return html`<section class="card" aria-labelledby="docloom-selected"><h2 id="docloom-selected">Move, rename, delete</h2>
${form(
  tree,
  html`<input type="hidden" name="type" value="move">${path('move')}
${textInput({
  id: 'docloom-to',
  name: 'to',
  label: 'New path',
  type: 'text',
  autocomplete: 'off',
  maxLength: 1024,
  value: selected,
  hint: 'From the root of the repository, with the name of the file.',
})}
<button type="submit">See what changes</button>`,
)}
<hr>
${form(
  tree,
  html`<input type="hidden" name="type" value="delete">${path('delete')}
${textInput({
  id: 'docloom-replacement',
  name: 'replacement',
  label: 'Page that takes its place',
  type: 'text',
  autocomplete: 'off',
  maxLength: 1024,
  isOptional: true,
  hint: 'Optional: links to the deleted page, and its old address, lead there.',
})}
<button type="submit" class="quiet">See what deleting changes</button>`,
)}
</section>`;
}

function renderCreate(tree: EditTree, selected: string): Markup {
  return html`<section class="card" aria-labelledby="docloom-create"><h2 id="docloom-create">New page</h2>
${form(
  tree,
  html`<input type="hidden" name="type" value="create">
${textInput({ id: 'docloom-new-title', name: 'title', label: 'Title', type: 'text', autocomplete: 'off', maxLength: 256 })}
${textInput({
  id: 'docloom-new-path',
  name: 'path',
  label: 'Path',
  type: 'text',
  autocomplete: 'off',
  maxLength: 1024,
  isOptional: true,
  hint: 'Empty: made of the title, in the folder of the page before it.',
})}
${textInput({
  id: 'docloom-after',
  name: 'after',
  label: 'After the page',
  type: 'text',
  autocomplete: 'off',
  maxLength: 1024,
  value: selected,
  isOptional: true,
  hint: 'Its path.',
})}
<button type="submit">See what changes</button>`,
)}
${
  tree.hasContents
    ? html`<hr><h3>New group</h3>
${form(
  tree,
  html`<input type="hidden" name="type" value="create-group">
${textInput({ id: 'docloom-group', name: 'title', label: 'Title of the group', type: 'text', autocomplete: 'off', maxLength: 256 })}
<button type="submit" class="quiet">See what changes</button>`,
)}`
    : null
}
</section>`;
}

function form(tree: TreeFrame, fields: Markup): Markup {
  return html`<form method="post" action="${editTreePath(tree.frame.space.id)}"><input type="hidden" name="cr" value="${numberOf(tree)}">
${fields}
</form>`;
}

export interface PlannedAction extends TreeFrame {
  readonly action: FileAction;
  readonly plan: FilePlan;
}

/** What an action changes, with the button that does it. */
export function renderFilePlan(page: PlannedAction): string {
  const { action, plan } = page;
  const { space } = page.frame;
  const { changes, moreChanges, worse, byHand, notes } = plan;
  const fields = Object.entries(action).map(
    ([name, value]) => html`<input type="hidden" name="${name === 'from' ? 'path' : name}" value="${value}">`,
  );
  return inFrame(
    page,
    'What changes',
    html`<h1>${titleOf(action)}</h1>
<section aria-labelledby="docloom-changes"><h2 id="docloom-changes">${changes.length === 0 ? 'Nothing else changes' : `What else changes (${changes.length + moreChanges})`}</h2>
${
  changes.length === 0
    ? html`<p class="soft">No other file names it.</p>`
    : html`<ul class="plan-changes">
${changes.map(
  ({ kind, file, line, before, after }) =>
    html`<li><span class="state">${WORDS[kind]}</span> <code>${file}${line === undefined ? null : `:${line}`}</code> ${
      before === '' ? null : html`<del>${before}</del> `
    }${after === '' ? null : html`<ins>${after}</ins>`}</li>
`,
)}</ul>
${moreChanges === 0 ? null : html`<p>… and ${moreChanges} more.</p>`}`
}
</section>
${
  worse.length === 0
    ? null
    : html`<section class="notice bad" aria-labelledby="docloom-worse"><h2 id="docloom-worse">${plural(worse.length, 'link')} will not work</h2>
<ul>
${worse.map(({ file, line, target, message }) => html`<li><code>${file}:${line}</code> <code>${target}</code> ${formatMessage(message)}</li>\n`)}</ul></section>`
}
${
  byHand.length === 0
    ? null
    : html`<section class="notice wait" aria-labelledby="docloom-hand"><h2 id="docloom-hand">Change these by hand</h2>
<ul>
${byHand.map(({ file, line, message }) => html`<li><code>${file}:${line}</code> ${formatMessage(message)}</li>\n`)}</ul></section>`
}
${notes.map((note) => html`<p class="notice wait">${formatMessage(note)}</p>`)}
<form method="post" action="${editTreePath(space.id)}" class="plan-do">
<input type="hidden" name="cr" value="${numberOf(page)}"><input type="hidden" name="do" value="1">${fields}
<button type="submit">${worse.length === 0 ? 'Do it' : 'Do it all the same'}</button>
<a href="${editTreePath(space.id, numberOf(page))}">Cancel</a>
</form>`,
  );
}

const WORDS: Readonly<Record<FilePlan['changes'][number]['kind'], string>> = {
  link: 'Link',
  setting: 'Navigation',
  redirect: 'Redirect',
  file: 'New page',
};

function titleOf(action: FileAction): Markup {
  if (action.type === 'move') return html`Move <code>${action.from}</code> to <code>${action.to}</code>`;
  if (action.type === 'delete') return html`Delete <code>${action.path}</code>`;
  if (action.type === 'create') return html`Create <code>${action.path}</code>`;
  return html`Create the group “${action.title}”`;
}

function inFrame(page: TreeFrame, title: string, main: Markup): string {
  const { frame, news = null, problem = null } = page;
  return renderSpacePage({
    ...frame,
    tab: 'content',
    title,
    news,
    problem,
    crumbs: [
      ...(title === FILES ? [] : [{ title: FILES, href: editTreePath(frame.space.id, numberOf(page)) }]),
      { title, href: null },
    ],
    main: html`<link rel="stylesheet" href="${editorStyles().href}">
${main}`,
  });
}

function numberOf({ changeRequest }: Pick<TreeFrame, 'changeRequest'>): string {
  return changeRequest === null ? 'new' : String(changeRequest.number);
}

function withPath(address: string, path: string): string {
  return `${address}&path=${encodeURIComponent(path)}`;
}
