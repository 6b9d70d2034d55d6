import type {
  CheckedLinkReport,
  LinkReport,
  ReportedLink,
  UnfinishedReport,
} from '../content/report/index.ts';
import { html, type Markup, safeHref } from '../markup/index.ts';
import { blobAddress } from './addresses.ts';
import { formatMessage } from './format.ts';
import { renderLayout } from './layout.ts';

/** The report of a pull request: which links it broke, which it fixed, and which were broken before. */
export function renderReportPage(report: LinkReport): string {
  return report.state === 'checked' ? renderChecked(report) : renderUnfinished(report);
}

/** For a check that is still running, or that failed. */
function renderUnfinished(report: UnfinishedReport): string {
  const name = `${report.repository}#${report.pullNumber}`;
  const sentence =
    report.state === 'checking'
      ? 'The links of this pull request are being checked. Reload this page in a moment.'
      : `The links of this pull request could not be checked. ${report.reason ?? ''}`;
  return renderLayout({
    title: `Links of ${name}`,
    main: html`<h1>Links of <a href="${safeHref(report.pullUrl)}">${name}</a></h1>
<p>${formatMessage(sentence)}</p>`,
  });
}

function renderChecked(report: CheckedLinkReport): string {
  const { counts } = report;
  const name = `${report.repository}#${report.pullNumber}`;
  const verdict =
    counts.introduced > 0
      ? html`<p class="notice bad">This pull request breaks ${plural(counts.introduced, 'link')}${
          counts.untouchedFiles > 0
            ? `, also in ${plural(counts.untouchedFiles, 'file')} that it does not touch`
            : ''
        }. Fix ${counts.introduced === 1 ? 'it' : 'each'} in the line listed below, or restore what ${
          counts.introduced === 1 ? 'it leads' : 'they lead'
        } to. Every push is checked again.</p>`
      : html`<p class="notice good">This pull request breaks no link.</p>`;
  return renderLayout({
    title: `Links of ${name}`,
    main: html`<h1>Links of <a href="${safeHref(report.pullUrl)}">${name}</a></h1>
${verdict}
<dl class="numbers">
<div${counts.introduced > 0 ? html` class="bad"` : null}><dt>Newly broken</dt><dd>${counts.introduced}</dd></div>
<div><dt>Fixed</dt><dd>${counts.fixed}</dd></div>
<div><dt>Broken before</dt><dd>${counts.existing}</dd></div>
<div><dt>Links checked</dt><dd>${sum(report.spaces.map((space) => space.links))}</dd></div>
<div><dt>Pages</dt><dd>${sum(report.spaces.map((space) => space.pages))}</dd></div>
</dl>
${
  report.unjudged === undefined
    ? null
    : html`<p class="notice">${formatMessage(report.unjudged.reason)}</p>
`
}<p class="soft measured">Commit <code>${report.headOid.slice(0, 7)}</code>, compared with <code>${report.baseOid.slice(0, 7)}</code>, where it branched off.</p>
${previewList(report)}
${movedSection(report)}
${section('Broken by this pull request', report.introduced, counts.introduced, report.headBlobUrl)}
${section('Fixed by this pull request', report.fixed, counts.fixed, report.baseBlobUrl)}
${removedAddressesSection(report)}
${externalSection(report)}
${existingSection(report)}`,
  });
}

function movedSection({ moved }: CheckedLinkReport): Markup | null {
  if (moved.length === 0) return null;
  return html`<h2>Removed or renamed, and still linked to</h2>
<ul>${moved.map(
    ({ path, to, linkedFrom }) =>
      html`<li><code>${path}</code> ${
        to === null ? 'was removed' : html`is now <code>${to}</code>`
      }; linked from ${linkedFrom.map((file, index) => html`${index === 0 ? '' : ', '}<code>${file}</code>`)}</li>`,
  )}</ul>`;
}

function section(
  title: string,
  findings: readonly ReportedLink[],
  total: number,
  blobUrl: string,
): Markup | null {
  if (findings.length === 0) return null;
  return html`<section><h2>${title}</h2>
${findingsTable(findings, total, blobUrl)}</section>`;
}

/** Addresses, known from bookmarks and links of other sites, that the merge removes. */
function removedAddressesSection({ lost: removed = [] }: CheckedLinkReport): Markup | null {
  if (removed.length === 0) return null;
  return html`<section><h2>Removed addresses</h2>
<p class="soft">Nothing will answer at these addresses. A redirect helps readers who have one of them.</p>
<div class="scroll findings"><table>
<thead><tr><th scope="col">Address</th><th scope="col">Page</th><th scope="col">New address</th><th scope="col">Redirect to add</th></tr></thead>
<tbody>
${removed.map(
  ({ address, file, now, redirect }) =>
    html`<tr><td><code>${address}</code></td><td><code>${file}</code></td><td>${
      now === null ? 'gone' : html`<code>${now.address}</code>`
    }</td><td>${
      redirect === null
        ? null
        : html`<code>${redirect.from} → ${redirect.to}</code> in <code>${redirect.file}</code>`
    }</td></tr>
`,
)}</tbody></table></div></section>`;
}

/** Links to other sites, separate from the rest because they never fail a check. */
function externalSection({ outside: external = [], headBlobUrl }: CheckedLinkReport): Markup | null {
  if (external.length === 0) return null;
  return html`<section><h2>Links to other sites to check</h2>
<p class="soft">This pull request adds these links. Their state is from the last check; they do not fail this one.</p>
<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Address</th><th scope="col">What is known</th></tr></thead>
<tbody>
${external.map(
  ({ file, line, target, message }) =>
    html`<tr><td><a href="${safeHref(blobAddress(headBlobUrl, { file, line }))}"><code>${file}:${line}</code></a></td><td><code>${target}</code></td><td>${formatMessage(message)}</td></tr>
`,
)}</tbody></table></div></section>`;
}

/** Links to previews of the pull request's pages. */
function previewList({ previews = [] }: CheckedLinkReport): Markup | null {
  if (previews.length === 0) return null;
  return html`<ul class="plain">
${previews.map(({ space, url, problem }) => {
  const href = safeHref(url);
  return href === null
    ? html`<li>No preview of ${space}: ${formatMessage(problem ?? 'it could not be made.')}</li>\n`
    : html`<li>Preview, not live: <a href="${href}">${space}</a></li>\n`;
})}</ul>`;
}

function existingSection({ existing, counts, headBlobUrl }: CheckedLinkReport): Markup | null {
  if (existing.length === 0) return null;
  return html`<h2>Broken before</h2>
<details><summary>${plural(counts.existing, 'link')} that ${
    counts.existing === 1 ? 'was' : 'were'
  } broken before; these never fail a pull request</summary>
${findingsTable(existing, counts.existing, headBlobUrl)}</details>`;
}

function findingsTable(findings: readonly ReportedLink[], total: number, blobUrl: string): Markup {
  const rest = total - findings.length;
  const hasSuggestions = findings.some(({ suggestion }) => suggestion !== null);
  return html`<div class="scroll findings"><table>
<thead><tr><th scope="col">Where</th><th scope="col">Link</th><th scope="col">Why</th>${
    hasSuggestions ? html`<th scope="col">Did you mean</th>` : null
  }</tr></thead>
<tbody>
${findings.map((link) => findingRow(link, blobUrl, hasSuggestions))}</tbody></table></div>
${rest > 0 ? html`<p class="soft">… and ${rest} more.</p>` : null}`;
}

function findingRow(link: ReportedLink, blobUrl: string, hasSuggestions: boolean): Markup {
  const { file, line, touched, target, message, suggestion } = link;
  return html`<tr><td><a href="${safeHref(blobAddress(blobUrl, link))}"><code>${file}:${line}</code></a>${
    touched ? null : html` <span class="soft">(untouched file)</span>`
  }</td><td><code>${target}</code></td><td>${formatMessage(message)}</td>${
    hasSuggestions
      ? html`<td class="suggestion">${suggestion === null ? null : html`<code>${suggestion}</code>`}</td>`
      : null
  }</tr>
`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
