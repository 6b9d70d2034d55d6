import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { compareAnalyses, type SpaceAnalysis } from '../../src/content/index.ts';
import { readPlainYaml } from '../../src/content/parse/read-plain-yaml.ts';
import { scanAnyHtml, scanHtml } from '../../src/content/parse/scan-html.ts';
import type { HtmlVisitor } from '../../src/content/parse/scan-plain-html.ts';
import { compareNaturally } from '../../src/content/text/natural-order.ts';
import { codePoint } from '../support/code-point.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { analysisOf } from './analysis-of.ts';
import { readFacts } from './read-facts.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Pieces that mean something to a Markdown or HTML parser, so that random texts reach its corners. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '#',
      '`',
      '*',
      '_',
      '&amp;',
      '\\',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
    ],
    ...[
      '<a href="',
      '">',
      '<!--',
      '-->',
      '<img src=',
      '---\n',
      'a.md',
      '#x',
      '|',
      '\t',
      '\r\n',
      '~~~',
      '[^1]',
    ],
    ...['https://', '😀', '%', '../', '\u{feff}', '<h2>', '</h2>', 'id="', '{', ':'],
  ),
  fc.string({ maxLength: 5, unit: codePoint }),
);
const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const segment = fc.oneof(word, fc.constantFrom('.', '..', 'a b', 'é', '%20', 'README.md'));
const target = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '#x', '?q#y', '/'))
  .map(([segments, tail]) => segments.join('/') + tail);

function slice(
  text: string,
  place: { line: number; column: number; endLine: number; endColumn: number },
): string {
  const lines = text.split('\n').slice(place.line - 1, place.endLine);
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, place.endColumn - 1);
  lines[0] = (lines[0] ?? '').slice(place.column - 1);
  return lines.join('\n');
}

describe('readFacts, for all bytes', () => {
  it('never throws, and its result is plain JSON that any database stores', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const facts = readFacts('SUMMARY.md', bytes);
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
      }),
      propertyRuns(125),
    );
  });

  it('never throws on text that resembles Markdown, and positions stay inside the text', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const facts = readFacts('a.md', encode(text));
        // A lone carriage return ends a line too: https://spec.commonmark.org/0.31.2/#line-ending
        const lines = text.split(/\r\n|\n|\r/);
        for (const { line, column, endLine } of facts.references) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(endLine).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
        }
        for (const { line } of facts.anchors) expect(line).toBeLessThanOrEqual(lines.length);
      }),
      propertyRuns(375),
    );
  });

  it('points at the text that contains the target, wherever the link is', () => {
    const around = fc.constantFrom('', '> ', '- ', '  ', '> - ', '# ', 'é😀 ', 'text *');
    const form = fc.constantFrom(
      (to: string) => `[x](<${to}>)`,
      (to: string) => `![x](<${to}> "title")`,
      (to: string) => `<a href="${to}">x</a>`,
      (to: string) => `<a class=x\n href='${to}'>x</a>`,
      (to: string) => `<img\n  alt=""\n  src="${to}">`,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(around, form, target), { minLength: 1, maxLength: 8 }), (links) => {
        const blocks = links.map(([before, write, to]) => {
          const more = /^[> ]*/.exec(before)?.[0] ?? '';
          return before.startsWith('#')
            ? `# ${write(to).replaceAll('\n', ' ')}`
            : before + write(to).replaceAll('\n', `\n${more}`);
        });
        const text = blocks.join('\n\n');
        const { references } = readFacts('a.md', encode(text));
        expect(references.map((one) => one.target)).toEqual(links.map(([, , to]) => to));
        for (const one of references) {
          const said = slice(text, one);
          expect(said).toContain(one.target);
          expect(said).toMatch(/^(?:!?\[|<a|<img)[\s\S]*[)>]$/);
        }
      }),
      propertyRuns(75),
    );
  });
});

describe('analyseSpace and compareAnalyses, for all trees', () => {
  const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((segments) => `${segments.join('/')}.md`);
  const page = fc
    .array(target, { maxLength: 5 })
    .map((targets) => targets.map((one) => `[x](<${one}>)`).join('\n\n'));
  const files = fc.dictionary(path, page, { maxKeys: 6 });

  it('checks every reference once, with a rule and a message when broken', () => {
    fc.assert(
      fc.property(files, (some) => {
        const { links } = analysisOf({ files: some });
        const written = Object.values(some).join('\n').match(/\[x\]/g)?.length ?? 0;
        expect(links).toHaveLength(written);
        for (const link of links) {
          expect(link.rule === null).toBe(link.status !== 'broken');
          expect(link.message === null).toBe(link.status === 'ok');
        }
      }),
      propertyRuns(75),
    );
  });

  it('a suggestion is right once applied', () => {
    fc.assert(
      fc.property(files, (some) => {
        for (const { file, suggestion } of analysisOf({ files: some }).links) {
          if (suggestion === null) continue;
          const mended = analysisOf({ files: { ...some, [file]: `[x](<${suggestion}>)` } });
          const [link] = mended.links.filter((one) => one.file === file);
          expect(link?.rule === null || link?.rule === 'missing-anchor').toBe(true);
        }
      }),
      propertyRuns(75),
    );
  });

  it('a tree against itself changes nothing, and two trees account for every broken link', () => {
    const count = (analysis: SpaceAnalysis) => analysis.links.filter((one) => one.status === 'broken').length;
    fc.assert(
      fc.property(files, files, (before, after) => {
        const [base, head] = [analysisOf({ files: before }), analysisOf({ files: after })];
        const same = compareAnalyses(base, base);
        expect([same.introduced, same.fixed]).toEqual([[], []]);
        expect(same.existing).toHaveLength(count(base));
        const changed = compareAnalyses(base, head);
        expect(changed.introduced.length + changed.existing.length).toBe(count(head));
        expect(changed.existing.length + changed.fixed.length).toBe(count(base));
      }),
      propertyRuns(75),
    );
  });
});

describe('natural order', () => {
  it('is the order of ICU', () => {
    const icu = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
    const name = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'0019aAbB-_. z(+é'), maxLength: 8 }),
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(compareNaturally(a, b))).toBe(Math.sign(icu.compare(a, b)));
      }),
      propertyRuns(500),
    );
  });
});

describe('short ways', () => {
  it('read HTML as the standard does', () => {
    const part = fc.constantFrom(
      ...[
        '<a',
        '<B ',
        '</a>',
        '</p >',
        '<br/>',
        '<br />',
        '<!--',
        '-->',
        '--!>',
        '<!-',
        '<script>',
        '</script>',
      ],
      ...[
        ' href="x y"',
        " id='é'",
        '\n@click',
        '=',
        ' =',
        ' a=b',
        ' A="1"',
        '"',
        "'",
        '/',
        '/>',
        '>',
        '<',
        ' <a>',
      ],
      ...[
        'text',
        ' ',
        '\n',
        '\t',
        '\r',
        '&amp;',
        ...[
          '& ',
          '&#x26;',
          '&lt',
          '&copy;',
          '&#39;',
          ' a ="&amp;x"',
          " b= 'c'",
          ' c = d',
          '<i title="😀&quot;">',
        ],
        '\0',
        '😀',
        'é',
        '-',
        '!',
        '[[',
        '<![CDATA[',
        '<?x>',
        '<1>',
        '\f',
      ],
      ...['<img src="a.png" alt>', '<title>', '<a-b.c:d x:y="z">', '\u00a0', '`', '</', '</1>', '{{ x }}'],
    );
    const html = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    const tell = (scan: (html: string, visitor: HtmlVisitor) => unknown, source: string) => {
      const told: unknown[] = [];
      let text = '';
      const say = (one: unknown) => {
        if (text !== '') told.push(text);
        text = '';
        told.push(one);
      };
      scan(source, {
        startTag: (name, attributes, place) => say([name, [...attributes], place]),
        endTag: (name) => say(name),
        text: (value) => {
          text += value;
        },
      });
      say(null);
      return told;
    };
    fc.assert(
      fc.property(html, (source) => {
        expect(tell(scanHtml, source)).toEqual(tell(scanAnyHtml, source));
      }),
      propertyRuns(750),
    );
  });

  it('read front matter as YAML does', () => {
    const part = fc.constantFrom(
      ...[
        'title',
        'a-b',
        'null',
        'true',
        '__proto__',
        '1',
        ':',
        ': ',
        ' ',
        '#',
        ' #',
        "'",
        '"',
        '\\',
        '\n',
        '\t',
        '\r',
      ],
      ...[
        'Text',
        'é',
        '😀',
        '- ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '&a',
        '*a',
        '!',
        '|',
        '>',
        '%',
        '@',
        '`',
        '~',
        '---',
        '...',
      ],
      ...['False', '.inf', '0x1', 'https://a.b/#c', '\u00a0', '\u2028', '\ufeff', '?', 'No', '\u0085'],
    );
    const line = fc.tuple(
      fc.constantFrom(
        'a: ',
        'b: ',
        'title: ',
        '',
        ' c: ',
        'd:',
        '  e: ',
        '  f:',
        '    g: ',
        'h: >-',
        '  i: >-',
      ),
      fc.array(part, { maxLength: 5 }),
    );
    const whole = fc.constantFrom(
      ...[
        'd:',
        '  e: true',
        '  f:',
        '    g: Text 😀',
        'h: >-',
        '  i: >-',
        '  more text',
        '  # no: comment',
        '   x ',
      ],
      ...['a: 12', 'b: 007', '  c: false ', '    - item', '', 'k: مكون', "l: 'x > y'"],
    );
    const yaml = fc
      .array(
        fc.oneof(
          line.map(([key, parts]) => key + parts.join('')),
          whole,
        ),
        { maxLength: 5 },
      )
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(yaml, (source) => {
        const plain = readPlainYaml(source);
        if (plain === null) return;
        const document = parseDocument(source, { prettyErrors: false, logLevel: 'silent' });
        expect(document.errors).toEqual([]);
        expect(document.toJS()).toEqual(plain);
      }),
      propertyRuns(750),
    );
    expect(readPlainYaml('title: A & B’s #1: x:y\nlang: "de"')).toBeNull();
    expect(readPlainYaml("title: A & B’s c#1 x:y  \nlang: 'de'")).toEqual({
      title: 'A & B’s c#1 x:y',
      lang: 'de',
    });
    const nested = 'a:\n  b: true\n  c:\n    d: 12\ne: >-\n  Two\n  lines: 1\nf: 😀 é';
    expect(readPlainYaml(nested)).toEqual({
      a: { b: true, c: { d: 12 } },
      e: 'Two lines: 1',
      f: '😀 é',
    });
  });
});
