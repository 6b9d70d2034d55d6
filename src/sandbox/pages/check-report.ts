import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { findTreeEntry, isTreePath, readBlob } from '../git/read-tree.ts';
import { combineStates, latestStatuses } from '../present/status.ts';
import type { AnnotationRecord, CheckRunRecord, RepositoryRecord } from '../state/records.ts';
import { stateLabel } from './frame.ts';
import { html, type Markup } from './html.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Lines shown around an annotation, and files whose source is read for one page. */
const CONTEXT_LINES = 1;
const MAX_FILES = 100;
const MAX_FILE_BYTES = 1024 * 1024;

/** The state that stands beside a commit's name; null when nobody said anything about it. */
export function commitState(context: ForgeContext, repository: RepositoryRecord, sha: string): string | null {
  const latest = latestStatuses(context, repository, sha);
  return latest.length === 0 ? null : combineStates(latest.map((one) => one.state));
}

/** Statuses and check runs of a commit, with the annotations where they stand in the source. */
export async function checkReport(
  context: ForgeContext,
  repository: RepositoryRecord,
  sha: string,
): Promise<Markup> {
  const statuses = latestStatuses(context, repository, sha);
  const runs = context.data.checkRuns.filter(
    (one) => one.repositoryId === repository.id && one.headSha === sha,
  );
  return html`<h2>Statuses</h2>
${
  statuses.length === 0
    ? html`<p class="soft">No commit status yet.</p>`
    : html`<table>${statuses.map(
        (one) => html`<tr><td>${stateLabel(one.state)}</td><th scope="row">${one.context}</th>
<td>${one.description ?? ''}${one.targetUrl ? html` <a href="${one.targetUrl}">Details</a>` : null}</td></tr>`,
      )}</table>`
}
<h2>Check runs</h2>
${runs.length === 0 ? html`<p class="soft">No check run yet.</p>` : await Promise.all(runs.toReversed().map((run) => runCard(context, repository, run)))}`;
}

async function runCard(
  context: ForgeContext,
  repository: RepositoryRecord,
  run: CheckRunRecord,
): Promise<Markup> {
  return html`<section class="card" id="run-${run.id}">
<h3>${stateLabel(run.conclusion ?? run.status)} ${run.name}${run.title ? html` · ${run.title}` : null}</h3>
<div class="inside">
${run.summary ? renderMarkdown(run.summary) : null}
${run.text ? html`<details><summary>Details</summary>${renderMarkdown(run.text)}</details>` : null}
${run.detailsUrl ? html`<p><a href="${run.detailsUrl}">Full report</a></p>` : null}
${run.actions.length > 0 ? html`<p class="soft">Offers: ${run.actions.map((one) => `${one.label} (${one.description})`).join(', ')}</p>` : null}
</div>
${await annotationCards(context, repository, run)}
</section>`;
}

async function annotationCards(
  context: ForgeContext,
  repository: RepositoryRecord,
  run: CheckRunRecord,
): Promise<Markup[]> {
  const byFile = Map.groupBy(run.annotations, (one) => one.path);
  const cards: Markup[] = [];
  for (const [path, annotations] of byFile) {
    const lines = cards.length < MAX_FILES ? await readLines(context, repository, run.headSha, path) : [];
    const sorted = annotations.toSorted((a, b) => a.start_line - b.start_line);
    cards.push(html`<section class="card inside"><h3><code>${path}</code></h3>
<ol>${sorted.map((one) => annotationItem(one, lines))}</ol></section>`);
  }
  return cards;
}

function annotationItem(one: AnnotationRecord, lines: readonly string[]): Markup {
  const place =
    one.end_line > one.start_line ? `Lines ${one.start_line}–${one.end_line}` : `Line ${one.start_line}`;
  const first = Math.max(1, one.start_line - CONTEXT_LINES);
  const shown = lines.slice(first - 1, Math.min(one.end_line, one.start_line + 10) + CONTEXT_LINES);
  return html`<li class="note">${stateLabel(one.annotation_level)} <strong>${one.title ?? place}</strong>${one.title ? html` <span class="soft">${place}</span>` : null}
<p>${one.message}</p>
${shown.length > 0 ? html`<pre>${shown.map((line, index) => sourceLine(one, first + index, line))}</pre>` : null}</li>`;
}

function sourceLine(one: AnnotationRecord, number: number, line: string): Markup {
  const meant = number >= one.start_line && number <= one.end_line;
  const start = meant && one.start_column !== null ? one.start_column - 1 : 0;
  const end = meant && one.end_column !== null ? one.end_column : line.length;
  const text = meant
    ? html`${line.slice(0, start)}<mark>${line.slice(start, end)}</mark>${line.slice(end)}`
    : html`${line}`;
  return html`<span class="number">${number}</span>${text}\n`;
}

/** The lines of a file at a commit; none for what is not there, or no text to show. */
async function readLines(
  context: ForgeContext,
  repository: RepositoryRecord,
  sha: string,
  path: string,
): Promise<readonly string[]> {
  if (!isTreePath(path)) return [];
  const gitDir = gitDirOf(context, repository.id);
  const entry = await findTreeEntry(gitDir, sha, path);
  if (entry?.type !== 'blob' || entry.size > MAX_FILE_BYTES) return [];
  return (await readBlob(gitDir, entry.oid)).toString('utf8').split(/\r?\n/);
}
