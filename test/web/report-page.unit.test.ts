import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { ApiReport } from '../../src/content/report/api-report.ts';
import type { LinkReport } from '../../src/content/report/link-report.ts';
import { renderApiReportPage } from '../../src/web/api-report-page.ts';
import { renderReportPage } from '../../src/web/report-page.ts';
import { finding, HOSTILE, lostNote, report } from '../github/pull-request/fixture-report.ts';
import { apiChange, apiReport, apiSpec } from '../sync/fixture-api-report.ts';

interface Element {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
  readonly value?: string;
}

function elements(html: string): Element[] {
  const all = (node: Element): Element[] => [node, ...(node.childNodes ?? []).flatMap(all)];
  return all(parse(html) as unknown as Element);
}

function textOf(html: string): string {
  return elements(html)
    .map((one) => one.value ?? ' ')
    .join('')
    .replace(/\s+/g, ' ');
}

test('the page counts, lists and links', () => {
  const page = renderReportPage(
    report({
      introduced: [
        finding({ suggestion: 'new.md' }),
        finding({ file: 'docs/c d.md', line: 9, touched: true }),
      ],
      fixed: [finding({ target: 'old.md' })],
      existing: [finding({ target: 'ancient.md' })],
      moved: [{ path: 'docs/gone.md', to: null, linkedFrom: ['docs/a.md', 'docs/c.md'] }],
    }),
  );
  const text = textOf(page);
  expect(text).toContain('breaks 2 links, also in 1 file that it does not touch');
  expect(text).toContain('docs/gone.md was removed; linked from docs/a.md, docs/c.md');
  expect(text).toContain('1 link that was broken before; these never fail');
  const links = elements(page).flatMap((one) => one.attrs?.find((attr) => attr.name === 'href')?.value ?? []);
  expect(links).toContain(`https://github.com/acme/docs/blob/${'a'.repeat(40)}/docs/c%20d.md?plain=1#L9`);
  expect(links).toContain(`https://github.com/acme/docs/blob/${'b'.repeat(40)}/docs/a.md?plain=1#L3`);
  expect(elements(page).filter((one) => one.nodeName === 'details')).toHaveLength(1);
});

describe('the page shows the state of the check:', () => {
  const unfinished: LinkReport = {
    version: 1,
    state: 'checking',
    repository: 'acme/docs',
    pullNumber: 7,
    pullUrl: 'https://github.com/acme/docs/pull/7',
    headOid: 'a'.repeat(40),
    reason: null,
  };

  test.each<[string, LinkReport, string]>([
    ['checking', unfinished, 'are being checked'],
    [
      'not checked',
      { ...unfinished, state: 'unchecked', reason: 'No <b>luck</b>.' },
      'could not be checked. No <b>luck</b>.',
    ],
    ['nothing broken', report(), 'This pull request breaks no link.'],
  ])('%s', (_name, value, sentence) => {
    expect(textOf(renderReportPage(value))).toContain(sentence);
  });
});

/** The script of all pages for people. */
function isOwnScript(element: ReturnType<typeof elements>[number]): boolean {
  const src = element.attrs?.find(({ name }) => name === 'src')?.value ?? '';
  return element.nodeName === 'script' && (element.childNodes ?? []).length === 0 && /^\/[\w./-]+$/.test(src);
}

/** A page has no other elements than one with harmless names. */
function expectHarmless(name: string, page: string, harmless: readonly string[]): void {
  const seen = elements(page).filter((one) => !isOwnScript(one));
  expect([name, seen.filter((one) => one.nodeName === 'script' || one.nodeName === 'img')]).toEqual([
    name,
    [],
  ]);
  const known = new Set([...harmless, 'ul', 'li', 'code']);
  const unknown = new Set(seen.map((one) => one.nodeName).filter((one) => !known.has(one)));
  expect([name, [...unknown]]).toEqual([name, []]);
  const attributes = seen.flatMap((one) => one.attrs ?? []);
  expect(attributes.filter((one) => one.name.startsWith('on') || /^\s*javascript:/i.test(one.value))).toEqual(
    [],
  );
}

test('hostile names stay text', () => {
  const harmless = elements(renderReportPage(report({ introduced: [finding()] }))).map((one) => one.nodeName);
  for (const name of HOSTILE) {
    const page = renderReportPage(
      report({
        repository: `acme/${name}`,
        pullUrl: `javascript:alert(1)//${name}`,
        introduced: [finding({ file: name, target: name, message: name, suggestion: name })],
        moved: [{ path: name, to: name, linkedFrom: [name] }],
        fixed: [finding({ file: name, target: name })],
        outside: [{ space: name, file: name, line: 3, target: name, message: name }],
        lost: [lostNote(name)],
      }),
    );
    expectHarmless(name, page, harmless);
    expect(textOf(page)).toContain(name.replace(/\s+/g, ' ').trim());
  }
});

test('the page of API specifications counts, lists and links, and hostile names stay text', () => {
  const spec = {
    ...apiSpec('pets'),
    outcome: 'compared',
    file: 'api/openapi.yaml',
    note: null,
    problems: [],
    counts: { problems: 0, existing: 0, changes: 5, breaking: 1 },
    changes: [apiChange(), apiChange({ breaking: false, message: 'The path /cats is new.', why: null })],
  } as const;
  const page = renderApiReportPage(apiReport([spec]));
  const text = textOf(page);
  expect(text).toContain('contains 1 change that breaks clients of the API');
  expect(text).toContain('The path /pets was removed.');
  expect(text).toContain('4 changes that break nobody');
  expect(text).toContain('… and 3 more.');
  const links = elements(page).flatMap((one) => one.attrs?.find((attr) => attr.name === 'href')?.value ?? []);
  expect(links).toContain(`https://github.com/acme/docs/blob/${'b'.repeat(40)}/api/openapi.yaml?plain=1#L4`);
  const unfinished: ApiReport = { ...apiReport([]), state: 'unchecked', reason: 'No <b>luck</b>.' };
  expect(textOf(renderApiReportPage(unfinished))).toContain('could not be checked. No <b>luck</b>.');

  const harmless = elements(renderApiReportPage(apiReport([apiSpec('pets', [apiChange()])]))).map(
    (one) => one.nodeName,
  );
  for (const name of HOSTILE) {
    const hostile = renderApiReportPage(apiReport([apiSpec(name, [apiChange()])]));
    expectHarmless(name, hostile, harmless);
    expect(textOf(hostile)).toContain(name.replace(/\s+/g, ' ').trim());
  }
});
