import type { CheckedLink } from '../check-result.ts';
import { brokenLinks, explain, type Print, tallyLinks } from './report.ts';

/** The result as JUnit XML: a suite for each file with broken links, a case for each of them. */
export const printJunit: Print = (result, options) => {
  const broken = brokenLinks(result, options);
  const suites = [...Map.groupBy(broken, (link) => link.file)].map(([file, links]) => suite(file, links));
  const checked = tallyLinks(result).links;
  const notices = result.notices.map(
    ({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="docloom check" tests="${Math.max(broken.length, 1)}" failures="${broken.length}" errors="0">`,
    ...(suites.length > 0 ? suites : [passed(checked)]),
    ...(notices.length > 0 ? [noticeSuite(notices)] : []),
    '</testsuites>',
    '',
  ].join('\n');
};

function suite(file: string, links: readonly CheckedLink[]): string {
  const cases = links.map((link) => {
    const name = `${link.line}:${link.column} ${link.target}`;
    const position = `${file}:${link.line}:${link.column}`;
    return [
      `    <testcase classname="${escapeXml(file)}" name="${escapeXml(name)}" file="${escapeXml(file)}" line="${link.line}">`,
      `      <failure type="${escapeXml(link.rule ?? '')}" message="${escapeXml(explain(link))}">${escapeXml(`${position}: ${explain(link)} [${link.target}]`)}</failure>`,
      '    </testcase>',
    ].join('\n');
  });
  return [
    `  <testsuite name="${escapeXml(file)}" tests="${links.length}" failures="${links.length}" errors="0">`,
    ...cases,
    '  </testsuite>',
  ].join('\n');
}

/** A report without a case would look like a run that did not happen. */
function passed(links: number): string {
  return [
    '  <testsuite name="links" tests="1" failures="0" errors="0">',
    `    <testcase classname="links" name="${links} links, none broken"/>`,
    '  </testsuite>',
  ].join('\n');
}

function noticeSuite(notices: readonly string[]): string {
  return [
    '  <testsuite name="notices" tests="0" failures="0" errors="0">',
    `    <system-out>${escapeXml(notices.join('\n'))}</system-out>`,
    '  </testsuite>',
  ].join('\n');
}

/** XML 1.0 cannot contain other control characters or lone surrogates, not even escaped. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
