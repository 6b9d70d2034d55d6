import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { docloomVersion } from '../../version.ts';
import type { CheckedLink, CheckResult } from '../check-result.ts';
import { explain, type Print, warnedLinks } from './report.ts';
import { ruleDescriptions } from './rule-words.ts';

/** SARIF 2.1.0, for code scanning. With a base, also what was broken before and what was fixed, each marked so. */
export const printSarif: Print = (result) => {
  const broken = result.links.filter((link) => link.status === 'broken');
  const warned = warnedLinks(result);
  const results = [
    ...broken.map((link) => linkResult(link, link.rule ?? '', 'error', explain(link))),
    ...result.fixed.map((link) => linkResult(link, link.rule ?? '', 'error', explain(link))),
    ...warned.map((link) => linkResult(link, link.warning.rule, 'warning', link.warning.message)),
    ...result.notices.map(({ file, line, rule, message, fails }) => ({
      ruleId: rule,
      level: fails ? 'error' : 'warning',
      message: { text: message },
      locations: [locationOf(file, line === null ? undefined : { startLine: line })],
    })),
  ];
  const used = [...new Set(results.map((result) => result.ruleId))];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'docloom', version: docloomVersion(), rules: used.map(describeRule) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { uri: rootUri(result) } },
        results: addFingerprints(
          results.map((result) => ({ ...result, ruleIndex: used.indexOf(result.ruleId) })),
        ),
      },
    ],
  };
  return `${JSON.stringify(log)}\n`;
};

function linkResult(link: CheckedLink, ruleId: string, level: 'error' | 'warning', text: string) {
  const { line, column, endLine, endColumn, change } = link;
  const baselineState = change === null ? undefined : BASELINE_STATES[change];
  return {
    ruleId,
    level,
    message: { text: `${text} [${link.target}]` },
    locations: [locationOf(link.file, { startLine: line, startColumn: column, endLine, endColumn })],
    ...(baselineState === undefined ? {} : { baselineState }),
  };
}

const BASELINE_STATES = { introduced: 'new', existing: 'unchanged', fixed: 'absent' } as const;

interface Region {
  readonly startLine: number;
  readonly startColumn?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

function locationOf(file: string, region: Region | undefined) {
  const uri = file
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
  const artifactLocation = { uri, uriBaseId: 'ROOT' };
  return { physicalLocation: { artifactLocation, ...(region === undefined ? {} : { region }) } };
}

interface Located {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations: readonly ReturnType<typeof locationOf>[];
}

/** A fingerprint that does not change when lines above are added or removed, so that trackers recognize the result. */
function addFingerprints<Result extends Located>(results: readonly Result[]) {
  const seen = new Map<string, number>();
  return results.map((result) => {
    const uri = result.locations[0]?.physicalLocation.artifactLocation.uri ?? '';
    const about = [result.ruleId, uri, result.message.text].join('\n');
    const nth = (seen.get(about) ?? 0) + 1;
    seen.set(about, nth);
    const hash = createHash('sha256').update(`${about}\n${nth}`).digest('hex').slice(0, 32);
    return { ...result, partialFingerprints: { 'docloom/v1': hash } };
  });
}

function describeRule(id: string) {
  const text = ruleDescriptions[id];
  if (text === undefined) return { id };
  return { id, shortDescription: { text }, fullDescription: { text }, help: { text } };
}

/** Ends with a slash, as a base URL must. */
function rootUri({ root }: CheckResult): string {
  return `${pathToFileURL(root).href.replace(/\/$/, '')}/`;
}
