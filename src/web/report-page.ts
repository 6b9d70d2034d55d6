import type { Finding, Report } from '../content/report.ts';
import { type Html, html, renderPage, safeHref } from './page-layout.ts';

/** The page of a pull request's report: what it broke, what it mended, what was broken before. */
export function renderReportPage(report: Report): string {
  const { counts } = report;
  const name = `${report.repository}#${report.pullNumber}`;
  const verdict =
    counts.introduced > 0
      ? html`<p class="bad">This pull request breaks ${plural(counts.introduced, 'link')}${
          counts.untouchedFiles > 0
            ? `, also in ${plural(counts.untouchedFiles, 'file')} that it does not touch`
            : ''
        }.</p>`
      : html`<p class="good">This pull request breaks no link.</p>`;
  return renderPage(
    `Links of ${name}`,
    html`<h1>Links of <a href="${safeHref(report.pullUrl)}">${name}</a></h1>
${verdict}
<ul class="counts">
<li><b>${counts.introduced}</b> introduced</li>
<li><b>${counts.fixed}</b> fixed</li>
<li><b>${counts.existing}</b> existing</li>
${report.spaces.map((space) => html`<li><b>${space.pages}</b> pages, ${plural(space.links, 'link')} in ${space.title}</li>`)}
</ul>
<p class="note">Commit <code>${report.headOid.slice(0, 10)}</code>, measured against <code>${report.baseOid.slice(0, 10)}</code>.</p>
${movedSection(report)}
${section('Introduced', report.introduced, counts.introduced, report.headBlobUrl)}
${section('Fixed', report.fixed, counts.fixed, report.baseBlobUrl)}
${existingSection(report)}`,
  );
}

/** What is shown while the check is still at work, or when it could not do it. */
export function renderUnfinishedReportPage(state: {
  readonly repository: string;
  readonly pullNumber: number;
  readonly conclusion: string;
}): string {
  const name = `${state.repository}#${state.pullNumber}`;
  const sentence =
    state.conclusion === 'in_progress'
      ? 'The links of this pull request are being checked. Reload this page in a moment.'
      : 'The links of this pull request could not be checked; its check run on GitHub says why.';
  return renderPage(`Links of ${name}`, html`<h1>Links of ${name}</h1><p>${sentence}</p>`);
}

/** Says nothing about whether there ever was such a report. */
export function renderMissingPage(): string {
  return renderPage(
    'Not here',
    html`<h1>There is no such page</h1><p>The address may be cut off, or the report was removed with its repository.</p>`,
  );
}

function movedSection({ moved }: Report): Html | null {
  if (moved.length === 0) return null;
  return html`<h2>Removed or renamed, and still linked to</h2>
<ul>${moved.map(
    (one) =>
      html`<li><code>${one.path}</code> ${
        one.to === null ? 'was removed' : html`is now <code>${one.to}</code>`
      }; linked from ${one.linkedFrom.map((file, index) => html`${index === 0 ? '' : ', '}<code>${file}</code>`)}</li>`,
  )}</ul>`;
}

function section(title: string, findings: readonly Finding[], total: number, blobUrl: string): Html | null {
  if (findings.length === 0) return null;
  return html`<section aria-labelledby="${title.toLowerCase()}"><h2 id="${title.toLowerCase()}">${title}</h2>
${findingsTable(findings, total, blobUrl)}</section>`;
}

function existingSection({ existing, counts, headBlobUrl }: Report): Html | null {
  if (existing.length === 0) return null;
  return html`<details><summary>Existing: ${plural(counts.existing, 'link')} that ${
    counts.existing === 1 ? 'was' : 'were'
  } broken before</summary>
${findingsTable(existing, counts.existing, headBlobUrl)}</details>`;
}

function findingsTable(findings: readonly Finding[], total: number, blobUrl: string): Html {
  const rest = total - findings.length;
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Link</th><th scope="col">Why</th><th scope="col">Did you mean</th></tr></thead>
<tbody>
${findings.map((one) => findingRow(one, blobUrl))}</tbody></table></div>
${rest > 0 ? html`<p class="note">… and ${rest} more.</p>` : null}`;
}

function findingRow(one: Finding, blobUrl: string): Html {
  return html`<tr><td><a href="${safeHref(blobAddress(blobUrl, one))}"><code>${one.file}:${one.line}</code></a>${
    one.touched ? null : html` <span class="note">(not touched)</span>`
  }</td><td><code>${one.target}</code></td><td>${one.message}</td><td>${
    one.suggestion === null ? null : html`<code>${one.suggestion}</code>`
  }</td></tr>
`;
}

/** Every segment is percent-encoded, so that no file name can leave its place in the address. */
function blobAddress(blobUrl: string, { file, line }: Finding): string {
  return `${blobUrl}${file.split('/').map(encodeURIComponent).join('/')}#L${line}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
