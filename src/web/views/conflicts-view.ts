import type { ChangeRequest, ConflictedFile } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { changeRequestPath } from '../addresses.ts';
import { plural } from '../format.ts';
import { renderChangeRequestPage, subjectOf } from './change-request-frame.ts';
import type { SpaceFrame } from './space-frame.ts';

/** What a reader chose for a file: a side, both, or a text of their own. */
export interface ConflictChoice {
  readonly take: 'space' | 'change-request' | 'merged' | 'edit' | '';
  /** What they wrote; null for what the form proposes. */
  readonly text: string | null;
}

/** Begins each line that separates the sides in a text to edit. */
export const CONFLICT_MARKS = /^(?:<{7} the space|={7}|>{7} this change request)\r?$/m;

/** The files that both sides changed, each with both sides and a choice; one form decides them all. */
export function renderConflicts(facts: {
  readonly frame: SpaceFrame;
  readonly changeRequest: ChangeRequest;
  readonly conflicts: readonly ConflictedFile[];
  /** How many there are in all. */
  readonly count: number;
  /** The revision of the space that is shown. */
  readonly spaceRevision: string;
  readonly choices: ReadonlyMap<string, ConflictChoice>;
  readonly problem: string | null;
}): string {
  const { frame, changeRequest, conflicts, count, spaceRevision, choices, problem } = facts;
  const { space } = frame;
  const { number, permissions } = changeRequest;
  const back = changeRequestPath(space.id, number);
  return renderChangeRequestPage({
    frame,
    changeRequest,
    crumbs: [{ title: 'Conflicts', href: null }],
    title: `Conflicts of #${number}`,
    news: null,
    problem,
    main:
      conflicts.length === 0
        ? html`<h1>Conflicts</h1><p class="notice good">There is no conflict: the space and this change request changed different files.</p>
<p><a href="${back}">Back to ${subjectOf(changeRequest)}</a></p>`
        : html`<h1>${plural(count, 'file')} changed on both sides</h1>
<p class="lead">The space was changed since <a href="${back}">${subjectOf(changeRequest)}</a> began. Choose for each file what the change request proposes from now on; nothing else in it changes, and readers see nothing of it until it is merged.</p>
<form method="post" action="${changeRequestPath(space.id, number, 'conflicts')}">
<input type="hidden" name="space" value="${spaceRevision}"><input type="hidden" name="head" value="${changeRequest.revision}">
${conflicts.map((conflict, index) => renderConflict(conflict, index, choices.get(conflict.path)))}
${
  count > conflicts.length
    ? html`<p class="notice wait">These are the first ${conflicts.length} of ${count} files; more than that are decided through the API.</p>`
    : permissions.edit
      ? html`<div class="buttons"><button type="submit">Update the change request</button> <a href="${back}">Cancel</a></div>`
      : html`<p class="soft">Only those who may edit decide.</p>`
}
</form>`,
  });
}

const DID = {
  added: 'added this file',
  changed: 'changed it',
  removed: 'removed it',
  folder: 'made a folder of it',
} as const;

function renderConflict(conflict: ConflictedFile, index: number, choice: ConflictChoice | undefined): Markup {
  const { path, inSpace, inChangeRequest, parts, problem } = conflict;
  const isMergeable = parts?.every(({ kind }) => kind === 'merged') === true;
  const take = choice?.take || (isMergeable ? 'merged' : '');
  const radio = (value: string, label: string, hint: string) =>
    html`<label class="choice"><input type="radio" name="take-${index}" value="${value}" required${take === value ? html` checked` : null}> <span><strong>${label}</strong> <span class="soft">${hint}</span></span></label>
`;
  return html`<section class="card conflict" aria-labelledby="docloom-conflict-${index}">
<h2 id="docloom-conflict-${index}"><code>${path}</code></h2>
<p class="soft small">The space ${DID[inSpace]}; this change request ${DID[inChangeRequest]}.</p>
<input type="hidden" name="path-${index}" value="${path}">
${problem === undefined ? renderSides(conflict) : html`<p class="soft">${problem}</p>`}
<fieldset><legend>What the change request proposes</legend>
${isMergeable ? radio('merged', 'Both', 'The two sides changed different lines.') : null}
${radio('change-request', 'This change request’s', inChangeRequest === 'removed' ? 'The file is removed.' : 'As it is proposed here.')}
${radio('space', 'The space’s', inSpace === 'removed' ? 'The file stays removed.' : 'As readers see it now.')}
${parts === undefined ? null : radio('edit', 'Edited by hand', 'Change the text below.')}
</fieldset>
${
  parts === undefined
    ? null
    : html`<details${take === 'edit' ? html` open` : null}><summary>Edit by hand</summary>
<div class="field"><label for="docloom-text-${index}">The text of ${path}</label>
<textarea id="docloom-text-${index}" name="text-${index}" rows="16" spellcheck="false" autocomplete="off" class="code">
${choice?.text ?? textToEdit(conflict)}</textarea></div></details>`
}
</section>
`;
}

/** Both sides where they contradict each other, with the lines around. */
function renderSides({ parts, space, changeRequest }: ConflictedFile): Markup | null {
  if (parts === undefined) {
    const text = space ?? changeRequest;
    return text === undefined
      ? null
      : html`<div class="sides">${side(space === undefined ? 'This change request' : 'The space', text)}</div>`;
  }
  return html`<div class="conflict-parts">${parts.map((part, index) =>
    part.kind === 'merged'
      ? html`<pre class="around" tabindex="0"><code>${shorten(part.text ?? '', { isFirst: index === 0, isLast: index === parts.length - 1 })}</code></pre>`
      : html`<div class="sides">${side('The space', part.space ?? '')}${side('This change request', part.changeRequest ?? '')}</div>`,
  )}</div>`;
}

function side(label: string, text: string): Markup {
  return html`<figure><figcaption class="small">${label}</figcaption><pre tabindex="0"><code>${text === '' ? '(nothing here)' : text}</code></pre></figure>`;
}

/** Lines beside a conflict that are shown. */
const AROUND = 3;

function shorten(
  text: string,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (isFirst && isLast) return lines.length > 40 ? [...lines.slice(0, 40), '⋯'].join('\n') : text;
  if (lines.length <= 2 * AROUND + 1) return text;
  const start = isFirst ? [] : lines.slice(0, AROUND);
  const end = isLast ? [] : lines.slice(-AROUND);
  return [...start, '⋯', ...end].join('\n');
}

/** The merged text, with both sides where they contradict each other, as git writes them. */
function textToEdit({ parts = [] }: ConflictedFile): string {
  return parts
    .map((part) => {
      if (part.kind === 'merged') return part.text ?? '';
      const line = (text: string | undefined) =>
        text === undefined || text === '' || text.endsWith('\n') ? (text ?? '') : `${text}\n`;
      return `<<<<<<< the space\n${line(part.space)}=======\n${line(part.changeRequest)}>>>>>>> this change request\n`;
    })
    .join('');
}
