import type { Finding, LinkReport, Report, UnfinishedReport } from '../content/report.ts';
import { html, type Markup, safeHref } from './html.ts';
import { renderLayout } from './layout.ts';

/** The page of a pull request's report: what it broke, what it mended, what was broken before. */
export function renderReportPage(report: LinkReport): string {
  return report.state === 'checked' ? renderChecked(report) : renderUnfinished(report);
}

/** While the check is still at work, or when it could not do it. */
function renderUnfinished(report: UnfinishedReport): string {
  const name = `${report.repository}#${report.pullNumber}`;
  const sentence =
    report.state === 'checking'
      ? 'The links of this pull request are being checked. Reload this page in a moment.'
      : `The links of this pull request could not be checked. ${report.reason ?? ''}`;
  return renderLayout({
    title: `Links of ${name}`,
    main: html`<h1>Links of <a href="${safeHref(report.pullUrl)}">${name}</a></h1>
<p>${sentence}</p>`,
  });
}

function renderChecked(report: Report): string {
  const { counts } = report;
  const name = `${report.repository}#${report.pullNumber}`;
  const verdict =
    counts.introduced > 0
      ? html`<p class="notice bad">This pull request breaks ${plural(counts.introduced, 'link')}${
          counts.untouchedFiles > 0
            ? `, also in ${plural(counts.untouchedFiles, 'file')} that it does not touch`
            : ''
        }.</p>`
      : html`<p class="notice good">This pull request breaks no link.</p>`;
  return renderLayout({
    title: `Links of ${name}`,
    main: html`<h1>Links of <a href="${safeHref(report.pullUrl)}">${name}</a></h1>
${verdict}
<dl class="numbers">
<div${counts.introduced > 0 ? html` class="bad"` : null}><dt>Introduced</dt><dd>${counts.introduced}</dd></div>
<div><dt>Fixed</dt><dd>${counts.fixed}</dd></div>
<div><dt>Existing</dt><dd>${counts.existing}</dd></div>
<div><dt>Links</dt><dd>${sum(report.spaces.map((space) => space.links))}</dd></div>
<div><dt>Pages</dt><dd>${sum(report.spaces.map((space) => space.pages))}</dd></div>
</dl>
<p class="soft measured">Commit <code>${report.headOid.slice(0, 10)}</code>, measured against <code>${report.baseOid.slice(0, 10)}</code>.</p>
${movedSection(report)}
${section('Introduced', report.introduced, counts.introduced, report.headBlobUrl)}
${section('Fixed', report.fixed, counts.fixed, report.baseBlobUrl)}
${existingSection(report)}`,
  });
}

function movedSection({ moved }: Report): Markup | null {
  if (moved.length === 0) return null;
  return html`<h2>Removed or renamed, and still linked to</h2>
<ul>${moved.map(
    (one) =>
      html`<li><code>${one.path}</code> ${
        one.to === null ? 'was removed' : html`is now <code>${one.to}</code>`
      }; linked from ${one.linkedFrom.map((file, index) => html`${index === 0 ? '' : ', '}<code>${file}</code>`)}</li>`,
  )}</ul>`;
}

function section(title: string, findings: readonly Finding[], total: number, blobUrl: string): Markup | null {
  if (findings.length === 0) return null;
  return html`<section aria-labelledby="${title.toLowerCase()}"><h2 id="${title.toLowerCase()}">${title}</h2>
${findingsTable(findings, total, blobUrl)}</section>`;
}

function existingSection({ existing, counts, headBlobUrl }: Report): Markup | null {
  if (existing.length === 0) return null;
  return html`<h2>Existing</h2>
<details><summary>${plural(counts.existing, 'link')} that ${
    counts.existing === 1 ? 'was' : 'were'
  } broken before: old damage never fails a pull request</summary>
${findingsTable(existing, counts.existing, headBlobUrl)}</details>`;
}

function findingsTable(findings: readonly Finding[], total: number, blobUrl: string): Markup {
  const rest = total - findings.length;
  return html`<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Link</th><th scope="col">Why</th><th scope="col">Did you mean</th></tr></thead>
<tbody>
${findings.map((one) => findingRow(one, blobUrl))}</tbody></table></div>
${rest > 0 ? html`<p class="soft">… and ${rest} more.</p>` : null}`;
}

function findingRow(one: Finding, blobUrl: string): Markup {
  return html`<tr><td><a href="${safeHref(blobAddress(blobUrl, one))}"><code>${one.file}:${one.line}</code></a>${
    one.touched ? null : html` <span class="soft">(not touched)</span>`
  }</td><td><code>${one.target}</code></td><td>${one.message}</td><td>${
    one.suggestion === null ? null : html`<code>${one.suggestion}</code>`
  }</td></tr>
`;
}

/**
 * Every segment is percent-encoded, so that no file name can leave its place in the address. GitHub shows the lines
 * of Markdown only in its plain view.
 */
function blobAddress(blobUrl: string, { file, line }: Finding): string {
  return `${blobUrl}${file.split('/').map(encodeURIComponent).join('/')}?plain=1#L${line}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
