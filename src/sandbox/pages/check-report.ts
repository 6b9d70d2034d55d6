import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { findTreeEntry, isTreePath, readBlob } from '../git/read-tree.ts';
import { latestStatuses } from '../present/status.ts';
import { fullNameOf } from '../state/find-records.ts';
import type { AnnotationRecord, CheckRunRecord, RepositoryRecord } from '../state/records.ts';
import { runsOf } from './commit-state.ts';
import { stateLabel } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Lines shown around an annotation, and files whose source is read for a page. */
const CONTEXT_LINES = 1;
const MAX_FILES = 100;
const MAX_FILE_BYTES = 1024 * 1024;

/** Statuses and check runs of a commit, with the annotations at their lines of the source. */
export async function checkReport(
  context: ForgeContext,
  repository: RepositoryRecord,
  sha: string,
): Promise<SafeHtml> {
  const statuses = latestStatuses(context, repository, sha);
  const runs = runsOf(context, repository, sha);
  const nothing = safeHtml`<p class="empty">This commit has no checks yet. Reload this page in a moment.</p>`;
  return safeHtml`<h2>Checks of <code>${sha.slice(0, 7)}</code></h2>
${statuses.length + runs.length === 0 && nothing}
${
  statuses.length > 0 &&
  safeHtml`<div class="box scroll"><table><tbody>${statuses.map(
    (
      candidate,
    ) => safeHtml`<tr><td class="narrow">${stateLabel(candidate.state)}</td><th scope="row">${candidate.context}</th>
<td>${candidate.description ?? ''}</td><td class="narrow">${candidate.targetUrl && safeHtml`<a href="${candidate.targetUrl}">Details</a>`}</td></tr>`,
  )}</tbody></table></div>`
}
${await Promise.all(runs.map((run) => runBox(context, repository, run)))}`;
}

async function runBox(
  context: ForgeContext,
  repository: RepositoryRecord,
  run: CheckRunRecord,
): Promise<SafeHtml> {
  const content = [
    run.summary && renderMarkdown(run.summary),
    run.text && safeHtml`<details><summary>More</summary>${renderMarkdown(run.text)}</details>`,
    run.actions.length > 0 &&
      safeHtml`<div class="actions">${run.actions.map(
        (action) =>
          safeHtml`<form method="post" action="/${fullNameOf(context.data, repository)}/runs/${run.id}/${action.identifier}"><button type="submit">${action.label}</button> <span class="soft">${action.description}</span></form>`,
      )}</div>`,
  ].filter(Boolean);
  return safeHtml`<section class="box run" id="run-${run.id}">
<header>${stateLabel(run.conclusion ?? run.status)}<h3>${run.name}${run.title && safeHtml` <span class="soft">· ${run.title}</span>`}</h3>${
    run.detailsUrl && safeHtml`<a href="${run.detailsUrl}">Details</a>`
  }</header>
${content.length > 0 && safeHtml`<div class="inside">${content}</div>`}
${await annotatedFiles(context, repository, run)}
</section>`;
}

async function annotatedFiles(
  context: ForgeContext,
  repository: RepositoryRecord,
  run: CheckRunRecord,
): Promise<SafeHtml[]> {
  const blobs = `/${fullNameOf(context.data, repository)}/blob/${run.headSha}`;
  const files: SafeHtml[] = [];
  for (const [path, annotations] of Map.groupBy(run.annotations, (annotation) => annotation.path)) {
    const lines = files.length < MAX_FILES ? await readLines(context, repository, run.headSha, path) : [];
    const sorted = annotations.toSorted((a, b) => a.start_line - b.start_line);
    const address = `${blobs}/${path.split('/').map(encodeURIComponent).join('/')}#L${sorted[0]?.start_line ?? 1}`;
    files.push(safeHtml`<section class="file"><h4>${
      lines.length > 0
        ? safeHtml`<a href="${address}"><code>${path}</code></a>`
        : safeHtml`<code>${path}</code>`
    }</h4>
<ol>${sorted.map((candidate) => annotationItem(candidate, lines))}</ol></section>`);
  }
  return files;
}

function annotationItem(annotation: AnnotationRecord, lines: readonly string[]): SafeHtml {
  const lineRange =
    annotation.end_line > annotation.start_line
      ? `Lines ${annotation.start_line}–${annotation.end_line}`
      : `Line ${annotation.start_line}`;
  const first = Math.max(1, annotation.start_line - CONTEXT_LINES);
  const shown = lines.slice(
    first - 1,
    Math.min(annotation.end_line, annotation.start_line + 10) + CONTEXT_LINES,
  );
  return safeHtml`<li>${stateLabel(annotation.annotation_level)} <strong>${annotation.title ?? lineRange}</strong>${annotation.title ? safeHtml` <span class="soft">${lineRange}</span>` : null}
<p>${annotation.message}</p>
${shown.length > 0 ? safeHtml`<pre tabindex="0">${shown.map((line, index) => sourceLine(annotation, first + index, line))}</pre>` : null}</li>`;
}

function sourceLine(annotation: AnnotationRecord, number: number, line: string): SafeHtml {
  const isAnnotated = number >= annotation.start_line && number <= annotation.end_line;
  const start = isAnnotated && annotation.start_column !== null ? annotation.start_column - 1 : 0;
  const end = isAnnotated && annotation.end_column !== null ? annotation.end_column : line.length;
  const text = isAnnotated
    ? safeHtml`${line.slice(0, start)}<mark>${line.slice(start, end)}</mark>${line.slice(end)}`
    : safeHtml`${line}`;
  return safeHtml`<span class="number">${number}</span>${text}\n`;
}

/** The lines of a file at a commit; none when it does not exist or is too large. */
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
