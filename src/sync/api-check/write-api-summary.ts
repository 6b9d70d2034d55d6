import type { PhrasingContent, RootContent, TableRow } from 'mdast';
import type { ApiChange, ApiReportSpec, CheckedApiReport } from '../../content/report/index.ts';
import { markdown } from '../../github/index.ts';

const { blobLink, code, count, fitSummary, heading, link, paragraph, row, short, strong, table, text } =
  markdown;

/** At most this many non-breaking changes are listed. */
const HARMLESS_LISTED = 10;

/** The summary of the check run: for each specification its mistakes, breaking changes, and other changes. */
export function writeApiSummary(report: CheckedApiReport, reportUrl: string): string {
  const first = [paragraph(verdictOf(report.specs))];
  const last = [paragraph([link('The whole report', reportUrl)])];
  const parts = report.specs.map((spec) => specPart(spec, report));
  return fitSummary([first, ...parts, last], [...first, ...last]);
}

function verdictOf(specs: readonly ApiReportSpec[]): PhrasingContent[] {
  if (specs.length === 0)
    return [
      strong('This pull request changes no API specification any more.'),
      text(' There is nothing to do.'),
    ];
  if (specs.some(({ outcome }) => outcome === 'refused')) {
    return [
      strong('A specification could not be read.'),
      text(' Fix each line named below. If it is merged as it is, the live version stays.'),
    ];
  }
  const breaking = specs.filter(({ counts }) => counts.breaking > 0);
  if (breaking.some(({ breakingChanges }) => breakingChanges === 'fail')) {
    return [
      strong('This pull request breaks clients of the API.'),
      text(' Restore what they rely on. If the break is intended, set '),
      code('breaking-changes: warn'),
      text(' for the specification in the configuration on the default branch, and run this again.'),
    ];
  }
  if (breaking.length > 0)
    return [
      strong('This pull request breaks clients of the API.'),
      text(' By the configuration this fails nothing.'),
    ];
  if (specs.some(({ outcome }) => outcome === 'unchecked'))
    return [
      strong('Not everything could be compared.'),
      text(' The reasons are listed below; they fail nothing.'),
    ];
  if (specs.some(({ outcome }) => outcome === 'removed'))
    return [
      strong('This pull request removes a specification from the configuration.'),
      text(' The live version stays, and breaking changes are not checked any more.'),
    ];
  return [strong('This pull request breaks no client of the API.'), text(' There is nothing to do.')];
}

function specPart(spec: ApiReportSpec, report: CheckedApiReport): RootContent[] {
  const { name, file, note, problems, changes } = spec;
  const breaking = changes.filter((change) => change.breaking);
  return [
    heading(short(name)),
    paragraph([
      ...(file === '' ? [] : [code(short(file)), text(': ')]),
      text(`${countsOf(spec)}${note === null ? '' : ` ${note}`}`),
    ]),
    ...(problems.length === 0
      ? []
      : [
          table(
            ['Where', 'Mistake'],
            problems.map(({ file, line, message }) =>
              row([[lineLink(report.headBlobUrl, file, line)], [text(short(message))]]),
            ),
          ),
        ]),
    ...(breaking.length === 0
      ? []
      : [
          table(
            ['What breaks', 'Where', 'Before → after', 'Why'],
            breaking.map((change) => breakingRow(change, report)),
          ),
        ]),
    ...harmlessList(changes.filter((change) => !change.breaking)),
  ];
}

function countsOf({ outcome, counts, breakingChanges }: ApiReportSpec): string {
  if (outcome === 'refused') return `${count(counts.problems, 'mistake')}.`;
  if (outcome === 'new') return 'new.';
  if (outcome === 'removed') return 'gone.';
  if (outcome === 'unchecked') return 'not compared.';
  if (breakingChanges === 'off') return 'it can be read.';
  if (counts.changes === 0) return 'no change for clients.';
  const harmless = counts.changes - counts.breaking;
  return `${count(counts.breaking, 'breaking change')}, ${count(harmless, 'other change')}.`;
}

function breakingRow({ message, place, was, is, why }: ApiChange, report: CheckedApiReport): TableRow {
  const blobUrl = place.side === 'base' ? report.baseBlobUrl : report.headBlobUrl;
  return row([
    [text(short(message))],
    [lineLink(blobUrl, place.file, place.line)],
    [...valueNodes(was), text(' → '), ...valueNodes(is)],
    [text(why ?? '')],
  ]);
}

function valueNodes(value: string | null): PhrasingContent[] {
  return value === null ? [text('nothing')] : [code(short(value))];
}

function lineLink(blobUrl: string, file: string, line: number): PhrasingContent {
  return { type: 'link', url: blobLink(blobUrl, file, line), children: [code(`${short(file)}:${line}`)] };
}

function harmlessList(changes: readonly ApiChange[]): RootContent[] {
  if (changes.length === 0) return [];
  const more = changes.length - HARMLESS_LISTED;
  return [
    paragraph([text('Breaks nobody:')]),
    {
      type: 'list',
      ordered: false,
      spread: false,
      children: changes.slice(0, HARMLESS_LISTED).map(({ message }) => ({
        type: 'listItem',
        spread: false,
        children: [paragraph([text(short(message))])],
      })),
    },
    ...(more > 0 ? [paragraph([text(`… and ${more} more in the report.`)])] : []),
  ];
}
