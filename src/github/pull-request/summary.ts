import type { Paragraph, RootContent, TableRow } from 'mdast';
import type { CheckedLinkReport, Preview, ReportedLink } from '../../content/report/index.ts';
import { ANNOTATIONS_PER_CHECK, markdown } from '../api/index.ts';

import { actionOf, type FixOffer } from './offer-fixes.ts';

const {
  SUMMARY_LIMIT,
  blobLink,
  code,
  count,
  fitSummary,
  heading,
  link,
  paragraph,
  row,
  short,
  strong,
  table,
  text,
  writeMarkdown,
} = markdown;

/** At most this many files that link to a removed file are named. */
const MAX_FILES = 5;

/** The findings of the check in one line. */
export function writeTitle(report: CheckedLinkReport): string {
  const { introduced, untouchedFiles, fixed } = report.counts;
  if (introduced > 0) {
    const elsewhere =
      untouchedFiles === 0 ? '' : `, in ${count(untouchedFiles, 'file')} that it did not touch`;
    return `${count(introduced, 'link')} broken by this pull request${elsewhere}`;
  }
  const lost = report.lost?.length ?? 0;
  const repaired = fixed > 0 ? `, ${fixed} fixed` : '';
  if (lost > 0) {
    return `No link broken${repaired}, ${lost === 1 ? 'an address is' : `${lost} addresses are`} removed without a redirect`;
  }
  return repaired === '' ? 'No link broken by this pull request' : `No link broken${repaired}`;
}

/** The summary of a check run as Markdown of at most `SUMMARY_LIMIT` characters. */
export function writeSummary(
  report: CheckedLinkReport,
  reportUrl: string,
  offer: FixOffer | null = null,
): string {
  const first = [
    ...previewLines(report.previews ?? []),
    verdict(report),
    ...(offer === null ? [] : [offerSentence(offer)]),
  ];
  const last = [counts(report), paragraph([link('The whole report', reportUrl)])];
  const parts = [
    first,
    movedList(report),
    introducedTable(report),
    lostTable(report),
    fixedTable(report),
    outsideTable(report),
    last,
  ];
  return fitSummary(parts, [...first, ...last]);
}

/** Puts a line for each preview above a summary, once. */
export function writePreviews(previews: readonly Preview[], summary: string): string {
  const lines = writeMarkdown(previewLines(previews));
  return summary.startsWith(lines) ? summary : `${lines}\n${summary}`.slice(0, SUMMARY_LIMIT);
}

function previewLines(previews: readonly Preview[]): RootContent[] {
  return previews.map(({ space, url, problem }) =>
    paragraph(
      url === null
        ? [text(`No preview of ${short(space)}: ${short(problem ?? 'it could not be made.')}`)]
        : [strong('Preview'), text(' (not live): '), link(short(space), url)],
    ),
  );
}

/** The result for the author, and what to do. */
function verdict({ counts: { introduced, fixed }, lost = [] }: CheckedLinkReport): RootContent {
  if (introduced === 0) {
    const repaired = fixed === 0 ? '' : ` It fixes ${fixed}.`;
    return paragraph([
      strong('This pull request breaks no link.'),
      text(
        `${repaired}${lost.length === 0 ? ' There is nothing to do.' : ' It removes addresses: see below.'}`,
      ),
    ]);
  }
  const [each, what] = introduced === 1 ? ['it', 'what it leads to'] : ['each', 'what they lead to'];
  return paragraph([
    strong(`This pull request leaves ${count(introduced, 'link')} broken.`),
    text(` Fix ${each} in the line named below, or restore ${what}. Every push is checked again.`),
  ]);
}

/** What the button above the summary does. */
function offerSentence(offer: FixOffer): RootContent {
  const { kind, count: n, redirects, branch } = offer;
  const suggestions = n === 1 ? 'the suggestion' : `the ${n} suggestions`;
  const entries = redirects === 1 ? 'the redirect' : `the ${redirects} redirects`;
  const what = [...(n > 0 ? [suggestions] : []), ...(redirects > 0 ? [entries] : [])].join(' and ');
  const { label } = actionOf(offer);
  return kind === 'commit'
    ? paragraph([strong(label), text(` commits ${what} below to `), code(short(branch)), text('.')])
    : paragraph([
        strong(label),
        text(` adds a review with ${what} below, to be committed with a click: Docloom may not write to `),
        code(short(branch)),
        text('.'),
      ]);
}

function counts(report: CheckedLinkReport): Paragraph {
  const pages = report.spaces.reduce((sum, space) => sum + space.pages, 0);
  const links = report.spaces.reduce((sum, space) => sum + space.links, 0);
  const { introduced, existing, fixed } = report.counts;
  const { unjudged } = report;
  const old =
    existing === 0
      ? ''
      : existing === 1
        ? ' 1 link that was broken before stays as it is and does not count.'
        : ` ${existing} links that were broken before stay as they are and do not count.`;
  const spaces =
    report.spaces.length === 1 ? '' : ` in ${count(report.spaces.length, 'part')} of the repository`;
  return paragraph([
    text(`Checked ${count(links, 'link')} on ${count(pages, 'page')}${spaces}: `),
    text(`${introduced} introduced, ${fixed} fixed, ${existing} existing.${old}`),
    ...(unjudged === undefined ? [] : [text(` ${short(unjudged.reason)}`)]),
  ]);
}

function introducedTable(report: CheckedLinkReport): RootContent[] {
  if (report.introduced.length === 0) return [];
  const more =
    report.counts.introduced > ANNOTATIONS_PER_CHECK
      ? [paragraph([text(`The first ${ANNOTATIONS_PER_CHECK} are annotated; the report has them all.`)])]
      : [];
  const suggested = report.introduced.some(({ suggestion }) => suggestion !== null);
  return [
    heading('Broken by this pull request'),
    table(
      ['Where', 'Link', 'Why', ...(suggested ? ['Did you mean'] : [])],
      report.introduced.map((finding, at, all) =>
        findingRow(finding, { blobUrl: report.headBlobUrl, suggested, before: all[at - 1] ?? null }),
      ),
    ),
    ...more,
  ];
}

interface RowContext {
  readonly blobUrl: string;
  readonly suggested: boolean;
  /** The row above; null for the first. */
  readonly before: ReportedLink | null;
}

/** A file is named in its first row; the rows below it have only the line. */
function findingRow(finding: ReportedLink, { blobUrl, suggested, before }: RowContext): TableRow {
  const { file, line } = finding;
  const isNamed = before?.file === file;
  const where = isNamed ? text(`line ${line}`) : code(`${short(file)}:${line}`);
  return row([
    [
      { type: 'link', url: blobLink(blobUrl, file, line), children: [where] },
      ...(finding.touched || isNamed ? [] : [text(' (untouched file)')]),
    ],
    [code(short(finding.target))],
    [text(short(finding.message))],
    ...(suggested ? [finding.suggestion === null ? [] : [code(short(finding.suggestion))]] : []),
  ]);
}

function movedList(report: CheckedLinkReport): RootContent[] {
  if (report.moved.length === 0) return [];
  const links = Map.groupBy(report.introduced, ({ cause }) => cause?.path);
  return [
    heading('Removed or renamed, and still linked to'),
    {
      type: 'list',
      ordered: false,
      spread: false,
      children: report.moved.map((moved) => ({
        type: 'listItem',
        spread: false,
        children: [
          paragraph([
            code(short(moved.path)),
            ...(moved.to === null ? [text(' was removed')] : [text(' is now '), code(short(moved.to))]),
            text(
              `; linked ${times(links.get(moved.path)?.length ?? 0)} from ${count(moved.linkedFrom.length, 'file')}: `,
            ),
            ...moved.linkedFrom
              .slice(0, MAX_FILES)
              .flatMap((file, index) => [...(index === 0 ? [] : [text(', ')]), code(short(file))]),
            ...(moved.linkedFrom.length > MAX_FILES
              ? [text(` and ${moved.linkedFrom.length - MAX_FILES} more`)]
              : []),
          ]),
        ],
      })),
    },
  ];
}

function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`;
}

/** Addresses that bookmarks and other sites may have, and that are gone after the merge. */
function lostTable({ lost = [] }: CheckedLinkReport): RootContent[] {
  if (lost.length === 0) return [];
  return [
    heading('Removed addresses'),
    paragraph([
      text('These addresses will not work any more. A redirect helps readers who have one of them.'),
    ]),
    table(
      ['Address', 'Page', 'New address', 'Redirect to add'],
      lost.map(({ address, file, now, redirect }) =>
        row([
          [code(short(address))],
          [code(short(file))],
          [now === null ? text('gone') : code(short(now.address))],
          redirect === null
            ? []
            : [code(short(`${redirect.from} → ${redirect.to}`)), text(' in '), code(short(redirect.file))],
        ]),
      ),
    ),
  ];
}

function fixedTable(report: CheckedLinkReport): RootContent[] {
  if (report.fixed.length === 0) return [];
  return [
    heading('Fixed by this pull request'),
    table(
      ['Where it was', 'Link'],
      report.fixed.map(({ file, line, target }) =>
        row([[code(`${short(file)}:${line}`)], [code(short(target))]]),
      ),
    ),
  ];
}

/** Known problems of links to other sites that the pull request adds; they fail nothing. */
function outsideTable({ outside = [], headBlobUrl }: CheckedLinkReport): RootContent[] {
  if (outside.length === 0) return [];
  return [
    heading('Links to other sites to check'),
    paragraph([
      text('This pull request adds these links. Their state is from the last check; they fail nothing.'),
    ]),
    table(
      ['Where', 'Address', 'What is known'],
      outside.map(({ file, line, target, message }) =>
        row([
          [
            {
              type: 'link',
              url: blobLink(headBlobUrl, file, line),
              children: [code(`${short(file)}:${line}`)],
            },
          ],
          [code(short(target))],
          [text(short(message))],
        ]),
      ),
    ),
  ];
}
