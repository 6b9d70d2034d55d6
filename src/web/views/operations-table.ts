import type { GitOperation } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { formatMessage, formatMoment, formatOid } from '../format.ts';
import { durationOf, renderReason, renderState } from './operation-state.ts';

/** The latest imports and exports of a space, newest first, each with its outcome and reason. */
export function renderOperations(operations: readonly GitOperation[], now: Date): Markup {
  return html`<section aria-labelledby="docloom-operations"><h2 id="docloom-operations">Syncs</h2>
${renderOperationsTable(operations, now)}
</section>`;
}

/** The same without a heading. */
export function renderOperationsTable(operations: readonly GitOperation[], now: Date): Markup {
  if (operations.length === 0) return html`<p class="soft">Nothing was imported or exported yet.</p>`;
  return html`<div class="scroll findings"><table>
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">State</th><th scope="col">Took</th><th scope="col">Outcome</th></tr></thead>
<tbody>
${operations.map((operation) => renderRow(operation, now))}</tbody></table></div>`;
}

function renderRow(operation: GitOperation, now: Date): Markup {
  const { direction, commit, ref, standalone } = operation;
  const what = direction === 'import' ? 'Import' : 'Export';
  return html`<tr><td class="time">${formatMoment(operation.endedAt ?? operation.createdAt, now)}</td><th scope="row">${what} ${
    commit === undefined ? null : html`${formatOid(commit)} `
  }<span class="soft">${direction === 'import' ? 'of' : 'to'} ${ref.replace(/^refs\/(heads\/)?/, '')}${standalone ? ', as a preview' : null}</span></th><td>${renderState(operation)}</td><td class="number">${durationOf(operation)}</td><td class="reason">${renderOutcome(operation)}</td></tr>
`;
}

function renderOutcome(operation: GitOperation): Markup | string {
  return renderReason(operation) ?? formatMessage(operation.message ?? '');
}
