import type { ChangeRequest, CheckedText } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath, editPath, editTreePath, pagePath, spacePath } from '../addresses.ts';
import { formatMessage, plural } from '../format.ts';
import { editorScript, editorStyles } from '../stylesheet.ts';
import { belowTitle } from './below-title.ts';
import type { PageNews } from './organization-frame.ts';
import type { RenderedBody } from './page-view.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** The longest text that a form sends, in UTF-16 code units. */
export const MAX_EDITED_LENGTH = 640 * 1024;

/** A file in the editor. */
export interface EditorPage extends PageNews {
  readonly frame: SpaceFrame;
  readonly path: string;
  /** Of the page that is made from the file; null for a file that is none. */
  readonly page: { readonly id: string; readonly title: string } | null;
  /** As an editor has it: each line ends with a line feed. */
  readonly text: string;
  /** The file that was opened; empty for one that does not exist yet. */
  readonly oid: string;
  readonly revision: string;
  /** Where it is saved; null for a change request that the first save creates. */
  readonly changeRequest: ChangeRequest | null;
  readonly writable: readonly ChangeRequest[];
  readonly subject: string;
  readonly preview: { readonly body: RenderedBody; readonly checked: CheckedText } | null;
  /** Of this answer, for the styles that the script adds. */
  readonly nonce: string;
}

/** The editor of a file: a form that works on its own, and that the script turns into an editor with preview and verdicts. */
export function renderEditor(editor: EditorPage): string {
  const { frame, path, page, changeRequest, news = null, problem = null } = editor;
  const title = page?.title ?? path.slice(path.lastIndexOf('/') + 1);
  return renderSpacePage({
    ...frame,
    tab: 'content',
    title: `Edit ${title}`,
    news,
    problem,
    crumbs: [
      { title: 'Files', href: editTreePath(frame.space.id, changeRequest?.number) },
      { title, href: page === null ? null : pagePath(frame.space.id, page.id, changeRequest?.revision) },
      { title: 'Edit', href: null },
    ],
    main: html`<link rel="stylesheet" href="${editorStyles().href}">
<h1 class="editor-title">Edit <span class="editor-name">${title}</span></h1>
<p class="soft small editor-path"><code>${path}</code></p>
${renderChoice(editor)}
${editor.oid === '' ? html`<p class="notice wait" data-new-file>There is no file at this path here. The first save creates it; a page that was moved is among the files.</p>` : null}
${renderForm(editor)}
${renderUpload(editor)}
${renderScript()}`,
  });
}

function renderScript(): Markup | null {
  const script = editorScript();
  return script === null ? null : html`<script type="module" src="${script.href}"></script>`;
}

/** The change request that the text is saved into. */
function renderChoice({ frame: { space }, path, writable, changeRequest }: EditorPage): Markup {
  const name = (one: ChangeRequest) =>
    `#${one.number} ${one.subject === '' ? 'Without a subject' : one.subject}`;
  return html`<form class="editor-choice" method="get" action="${spacePath(space.id)}/edit">
<input type="hidden" name="path" value="${path}">
<label for="docloom-cr">Change request</label>
<select id="docloom-cr" name="cr">
<option value="new"${changeRequest === null ? html` selected` : null}>A new one</option>
${writable.map((one) => html`<option value="${one.number}"${one.number === changeRequest?.number ? html` selected` : null}>${name(one)}</option>\n`)}</select>
<button class="quiet" type="submit">Switch</button>
${changeRequest === null ? null : html`<a class="small" href="${changeRequestPath(space.id, changeRequest.number)}">Open change request ${changeRequest.number}</a>`}
</form>`;
}

function renderForm(editor: EditorPage): Markup {
  const { path, text, oid, revision, changeRequest, subject, nonce } = editor;
  const { space } = editor.frame;
  const number = changeRequest === null ? 'new' : String(changeRequest.number);
  return html`<form class="editor" id="docloom-editor" method="post" action="${editPath(space.id, path, number)}" data-nonce="${nonce}" data-edit="${spacePath(space.id)}/edit">
<input type="hidden" name="path" value="${path}">
<input type="hidden" name="cr" value="${number}">
<input type="hidden" name="oid" value="${oid}">
<input type="hidden" name="revision" value="${revision}">
<div class="editor-bar">
<div class="editor-tools" data-tools></div>
<div class="editor-actions">
<button type="submit" name="action" value="save" class="editor-save">Save</button>
<button type="submit" name="action" value="preview" class="quiet" data-plain>Preview and check</button>
<button type="submit" name="action" value="review" class="quiet">Save and ask for review</button>
</div>
</div>
<p class="editor-state small soft" data-state role="status"></p>
<div class="editor-panes">
<div class="editor-source">
<label for="docloom-text">Text <span class="soft small" data-plain>in Markdown</span></label>
<textarea id="docloom-text" name="text" rows="24" maxlength="${MAX_EDITED_LENGTH}" spellcheck="true" autocomplete="off" autocapitalize="none">
${text}</textarea>
</div>
${renderPreview(editor)}
</div>
${
  changeRequest === null
    ? html`<div class="field editor-subject"><label for="docloom-subject">What this changes</label>
<input id="docloom-subject" name="subject" type="text" maxlength="256" autocomplete="off" value="${subject}">
<p class="hint">It becomes the subject of the new change request.</p></div>`
    : null
}
</form>`;
}

function renderPreview({ preview }: EditorPage): Markup {
  return html`<section class="editor-preview" aria-labelledby="docloom-preview-title">
<h2 class="editor-preview-title" id="docloom-preview-title">Preview</h2>
<div data-links>${preview === null ? null : renderChecked(preview.checked)}</div>
<article class="content" data-preview tabindex="0" aria-label="Preview">${
    preview === null
      ? html`<p class="soft small" data-plain>“Preview and check” shows here how readers will see the text.</p>`
      : renderPreviewBody(preview.body, preview.checked.view?.title ?? '')
  }</article>
</section>`;
}

/** The text as readers would see it, below the heading “Preview”: the page around it has a title of its own. */
export function renderPreviewBody(body: RenderedBody, title: string): Markup {
  if ('problem' in body) return html`<p class="notice wait">${formatMessage(body.problem)}</p>`;
  return belowTitle(html`${body.hasTitle ? body.title : html`<h1>${title}</h1>`}${body.content}`);
}

/** The broken references of a text, and what else is wrong with it. */
export function renderChecked({ references, problems }: CheckedText): Markup {
  const broken = references.filter(({ verdict }) => verdict === 'broken');
  const count = broken.length + problems.length;
  if (count === 0)
    return html`<p class="small soft">${plural(references.length, 'link')}, none of them broken.</p>`;
  return html`<div class="notice bad"><p><strong>${plural(count, 'problem')}.</strong></p>
<ul>
${problems.map(({ line, message }) => html`<li>${line === undefined ? null : `Line ${line}: `}${formatMessage(message)}</li>\n`)}
${broken.map(({ line, target, message = 'It leads nowhere.', suggestion }) => html`<li>Line ${line}: <code>${target}</code>. ${formatMessage(message)}${suggestion === undefined ? null : html` Did you mean <code>${suggestion}</code>?`}</li>\n`)}</ul></div>`;
}

/** Without the script, a file is uploaded and the reference to it is put into the text by hand. */
function renderUpload({ frame: { space }, path, changeRequest }: EditorPage): Markup {
  return html`<details class="editor-upload" data-plain-upload><summary>Upload a picture</summary>
<form method="post" enctype="multipart/form-data" action="${spacePath(space.id)}/edit/files">
<input type="hidden" name="path" value="${path}">
<input type="hidden" name="cr" value="${changeRequest === null ? 'new' : String(changeRequest.number)}">
<div class="field"><label for="docloom-file">Picture or PDF</label>
<input id="docloom-file" name="file" type="file" required accept="image/png,image/jpeg,image/gif,image/webp,image/avif,image/svg+xml,application/pdf">
<p class="hint">It is stored beside the page, and never replaces another file. Save your text first.</p></div>
<button type="submit" class="quiet">Upload</button>
</form></details>`;
}
