import type { ApiChange, ApiReport, ApiReportSpec, CheckedApiReport } from '../content/report/index.ts';
import { html, type Markup, safeHref } from '../markup/index.ts';
import { blobAddress } from './addresses.ts';
import { formatMessage, plural } from './format.ts';
import { renderLayout } from './layout.ts';

/** The page that shows what a pull request changes in the specifications of APIs. */
export function renderApiReportPage(report: ApiReport): string {
  const name = `${report.repository}#${report.pullNumber}`;
  const title = `APIs of ${name}`;
  const head = html`<h1>APIs of <a href="${safeHref(report.pullUrl)}">${name}</a></h1>`;
  if (report.state === 'checked')
    return renderLayout({ title, main: html`${head}\n${renderChecked(report)}` });
  const sentence =
    report.state === 'checking'
      ? 'The API specifications of this pull request are being checked. Reload this page in a moment.'
      : `The API specifications of this pull request could not be checked. ${report.reason ?? ''}`;
  return renderLayout({ title, main: html`${head}\n<p>${formatMessage(sentence)}</p>` });
}

function renderChecked(report: CheckedApiReport): Markup {
  const { specs } = report;
  const sum = (key: keyof ApiReportSpec['counts']) => specs.reduce((all, { counts }) => all + counts[key], 0);
  const [mistakes, breaking, changes] = [sum('problems'), sum('breaking'), sum('changes')];
  return html`${verdictOf({ mistakes, breaking })}
<dl class="numbers">
<div${mistakes > 0 ? html` class="bad"` : null}><dt>Mistakes</dt><dd>${mistakes}</dd></div>
<div${breaking > 0 ? html` class="bad"` : null}><dt>Breaking changes</dt><dd>${breaking}</dd></div>
<div><dt>Other changes</dt><dd>${changes - breaking}</dd></div>
<div><dt>Specifications</dt><dd>${specs.length}</dd></div>
</dl>
<p class="soft measured">Commit <code>${report.headOid.slice(0, 7)}</code>, compared with <code>${report.baseOid.slice(0, 7)}</code>, where it branched off.</p>
${specs.map((spec) => specSection(spec, report))}`;
}

function verdictOf({ mistakes, breaking }: { readonly mistakes: number; readonly breaking: number }): Markup {
  if (mistakes > 0)
    return html`<p class="notice bad">A specification cannot be read. Fix each line listed below; if it is merged as it is, the live version stays.</p>`;
  if (breaking > 0)
    return html`<p class="notice bad">This pull request contains ${plural(breaking, 'change')} that ${breaking === 1 ? 'breaks' : 'break'} clients of the API.</p>`;
  return html`<p class="notice good">This pull request breaks no client of the API, as far as the specifications could be compared.</p>`;
}

function specSection(spec: ApiReportSpec, report: CheckedApiReport): Markup {
  const { name, file, note, changes, counts } = spec;
  const breaking = changes.filter((change) => change.breaking);
  const compatible = changes.filter((change) => !change.breaking);
  return html`<section><h2>${name}</h2>
<p>${file === '' ? null : html`<code>${file}</code>: `}${OUTCOMES[spec.outcome]}${note === null ? null : html` ${formatMessage(note)}`}</p>
${problemsTable(spec, report)}
${changesTable(breaking, counts.breaking, report)}
${
  compatible.length === 0
    ? null
    : html`<h3>Other changes</h3>
<details><summary>${plural(counts.changes - counts.breaking, 'change')} that ${
        counts.changes - counts.breaking === 1 ? 'breaks' : 'break'
      } nobody</summary>
${changesTable(compatible, counts.changes - counts.breaking, report)}</details>`
}</section>`;
}

const OUTCOMES: Readonly<Record<ApiReportSpec['outcome'], string>> = {
  compared: 'compared with the base.',
  new: 'new.',
  removed: 'gone.',
  refused: 'it cannot be read.',
  unchecked: 'not compared.',
};

function problemsTable(
  { problems, counts }: ApiReportSpec,
  { headBlobUrl }: CheckedApiReport,
): Markup | null {
  if (problems.length === 0) return null;
  return html`<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Mistake</th></tr></thead>
<tbody>
${problems.map(
  ({ file, line, message }) =>
    html`<tr><td>${sourceLink(headBlobUrl, { file, line })}</td><td>${formatMessage(message)}</td></tr>
`,
)}</tbody></table></div>
${restOf(counts.problems - problems.length)}`;
}

function changesTable(changes: readonly ApiChange[], total: number, report: CheckedApiReport): Markup | null {
  if (changes.length === 0) return null;
  const hasReasons = changes.some(({ why }) => why !== null);
  return html`<div class="scroll findings"><table>
<thead><tr><th scope="col">What</th><th scope="col">Where</th><th scope="col">Before → after</th>${
    hasReasons ? html`<th scope="col">Why it breaks clients</th>` : null
  }</tr></thead>
<tbody>
${changes.map(
  ({ message, place: position, was, is, why }) =>
    html`<tr><td>${formatMessage(message)}</td><td>${sourceLink(position.side === 'base' ? report.baseBlobUrl : report.headBlobUrl, position)}</td><td>${renderValue(was)} → ${renderValue(is)}</td>${hasReasons ? html`<td>${formatMessage(why ?? '')}</td>` : null}</tr>
`,
)}</tbody></table></div>
${restOf(total - changes.length)}`;
}

function renderValue(value: string | null): Markup {
  return value === null ? html`<span class="soft">nothing</span>` : html`<code>${value}</code>`;
}

function sourceLink(blobUrl: string, position: { readonly file: string; readonly line: number }): Markup {
  return html`<a href="${safeHref(blobAddress(blobUrl, position))}"><code>${position.file}:${position.line}</code></a>`;
}

function restOf(count: number): Markup | null {
  return count > 0 ? html`<p class="soft">… and ${count} more.</p>` : null;
}
