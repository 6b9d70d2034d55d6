import type { ChangeRequest, PageView } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { changeRequestPath, pullAddress, spacePath } from '../addresses.ts';

/** A bar above every page of a preview: that it is not live, and which commit, pull request or change request it shows. */
export function renderPreviewBar(
  space: PageView['space'],
  revision: PageView['revision'],
  changeRequest?: Pick<ChangeRequest, 'number'>,
): Markup {
  const origin =
    changeRequest === undefined
      ? renderOrigin(space, revision)
      : html` of <a href="${changeRequestPath(space.id, changeRequest.number)}">change request #${changeRequest.number}</a>`;
  return html`<div class="preview-bar" role="status"><div class="wide"><strong>Preview</strong>${origin}, not live. <a href="${spacePath(space.id)}">See what is live</a></div></div>
`;
}

function renderOrigin(space: PageView['space'], { git }: PageView['revision']): Markup | null {
  if (git === undefined) return null;
  const number = /^refs\/pull\/(\d+)\//.exec(git.ref ?? '')?.[1];
  const at = html` at <code title="${git.oid}">${git.oid.slice(0, 7)}</code>`;
  if (number === undefined)
    return html`${git.ref === undefined ? null : ` of ${git.ref.replace(/^refs\/heads\//, '')}`}${at}`;
  const href = safeHref(pullAddress(space, number));
  const name = `pull request #${number}`;
  return html` of ${href === null ? name : html`<a href="${href}">${name}</a>`}${at}`;
}
