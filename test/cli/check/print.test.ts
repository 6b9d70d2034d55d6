/** The forms of a report on hostile names: each is read back by what reads it. */
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { isMap, parseDocument } from 'yaml';
import { checkWorkTree } from '../../../src/cli/check/check-tree.ts';
import { openPaths } from '../../../src/cli/check/open-paths.ts';
import { printers, type ReportFormat } from '../../../src/cli/check/print/index.ts';
import { ruleDescriptions } from '../../../src/cli/check/print/rule-words.ts';
import { knownRules } from '../../../src/content/model/known-rules.ts';
import { readXml } from './read-xml.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();

/** A name and a link that would break out of every form that did not escape them. */
const NAME = `a,b:c%d<"'&\u{1b}[31m]]>::é.md`;
const TARGET = 'x,y:z%0A<&>"\u{1}.md';

async function checkedIn(cwd: string) {
  const io = { cwd, env: {}, signal: new AbortController().signal };
  const input = { base: null, config: null, today: '2026-01-01', facts: null };
  return await checkWorkTree(input, openPaths(['.'], io, { exactOids: 'pages' }), io);
}

async function print(format: ReportFormat, page = `# A\n\n[a](<./${TARGET.replace(/[<>]/g, '\\$&')}>)\n`) {
  folder.write({ [NAME]: page, 'b.md': '---\na: [\n---\n' });
  return (await folder.check({ format })).stdout;
}

describe('the report formats of docloom check', () => {
  it('are those that the command line offers', () => {
    expect(Object.keys(printers)).toEqual(['pretty', 'json', 'sarif', 'junit', 'github']);
  });

  it('contain no control characters for a terminal', async () => {
    expect((await print('pretty')).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('have colours on a terminal, or if the environment requires them', async () => {
    folder.write({ 'a.md': '[a](gone.md)' });
    const { runCheck } = await import('../../../src/cli/commands/check.ts');
    const on = (env: Record<string, string>, isTty: boolean) =>
      folder.run((io) => runCheck([], { format: 'pretty' }, { ...io, env }), folder.root, isTty);
    expect((await on({}, true)).stdout).toContain('\u{1b}[31mbroken\u{1b}[39m');
    expect((await on({ FORCE_COLOR: '1' }, false)).stdout).toContain('\u{1b}[31mbroken');
    for (const { stdout } of [
      await on({ NO_COLOR: '1' }, true),
      await on({ NO_COLOR: '1', FORCE_COLOR: '1' }, true),
      await on({ FORCE_COLOR: '0' }, true),
      await on({ TERM: 'dumb' }, true),
      await on({}, false),
    ]) {
      expect(stdout).not.toContain('\u{1b}');
    }
  });

  it('have a row for each link of a file with more links than a call may have arguments', async () => {
    folder.write({ 'a.md': '[a](a.md)\n' });
    const { result } = await checkedIn(folder.root);
    const [link] = result.links;
    if (link === undefined) expect.fail();
    const links = Array.from({ length: 130_000 }, (_, at) => ({ ...link, line: at + 1 }));
    const options = { all: true, existing: true, colours: false, baseName: null };
    const rows = (await printers.pretty())({ ...result, links }, options).match(/^ {2}\d+:1 +ok$/gm);
    expect(rows).toHaveLength(links.length);
  });

  it('show many links to one missing heading as one row, in the text alone', async () => {
    const text = '[a](b.md#gone)\n\n'.repeat(6);
    folder.write({ 'a.md': text, 'b.md': '# B\n', 'c.md': text });
    const pretty = (await folder.check({ format: 'pretty' })).stdout;
    expect(pretty.match(/b\.md#gone/g)).toHaveLength(1);
    expect(pretty).toContain('11 more links in 2 files to the same; --all shows each.');
    expect((await folder.check({ format: 'pretty', all: true })).stdout.match(/b\.md#gone/g)).toHaveLength(
      12,
    );
    expect(JSON.parse((await folder.check({ format: 'json' })).stdout).links).toHaveLength(12);
  });

  it('write JSON that is also YAML', async () => {
    const text = await print('json');
    expect(JSON.parse(text).links[0]).toMatchObject({ file: NAME, target: `./${TARGET}` });
    expect(isMap(parseDocument(text).contents)).toBe(true);
  });

  it('write workflow commands, one per line, that can be parsed back', async () => {
    const commands = (await print('github')).split('\n');
    expect(commands.pop()).toBe('');
    const read = commands.map((line) => {
      const [, name, properties = '', message = ''] = /^::(\w+) ([^:]*)::(.*)$/s.exec(line) ?? [];
      // As the runner does it: `%25` last.
      const data = (text: string) =>
        text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
      const value = (text: string) => data(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
      const pairs = properties.split(',').map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), value(pair.slice(at + 1))] as const;
      });
      return { name, ...Object.fromEntries(pairs), message: data(message) };
    });
    expect(read).toEqual([
      {
        name: 'error',
        file: NAME,
        line: '3',
        col: '1',
        endLine: '3',
        endColumn: expect.stringMatching(/^\d+$/),
        title: 'missing-page',
        message: expect.stringContaining(`[./${TARGET}]`),
      },
      expect.objectContaining({ name: 'warning', file: 'b.md', line: '2', title: 'unreadable' }),
    ]);
  });

  it('write XML that an XML parser accepts', async () => {
    const { name, children } = readXml(await print('junit'));
    expect(name).toBe('testsuites');
    const [suite, notices] = children;
    expect(suite?.attributes).toMatchObject({ tests: '1', failures: '1' });
    const [testcase] = suite?.children ?? [];
    // XML knows no way to write most control characters.
    const shown = (text: string) => text.replace(/\p{Cc}/gu, '\u{fffd}');
    expect(testcase?.attributes).toMatchObject({ file: shown(NAME), line: '3', classname: shown(NAME) });
    expect(testcase?.children[0]).toMatchObject({ name: 'failure', attributes: { type: 'missing-page' } });
    expect(testcase?.children[0]?.text).toContain(shown(`[./${TARGET}]`));
    expect(notices?.children[0]?.text).toMatch(/^b\.md:2: /);
  });

  it('write XML even when nothing is broken', async () => {
    folder.write({ 'a.md': '# A' });
    const { stdout } = await folder.check({ format: 'junit' });
    expect(readXml(stdout).children[0]?.children[0]?.attributes).toEqual({
      classname: 'links',
      name: '0 links, none broken',
    });
  });

  it('write SARIF 2.1.0', async () => {
    const log = JSON.parse(await print('sarif'));
    const validate = new Ajv({ strict: false }).compile(sarif);
    expect(validate(log) || validate.errors).toBe(true);
    const [run] = log.runs;
    const [broken] = run.results;
    const { artifactLocation, region } = broken.locations[0].physicalLocation;
    expect(decodeURIComponent(artifactLocation.uri)).toBe(NAME);
    expect(region).toMatchObject({ startLine: 3, startColumn: 1, endLine: 3 });
    expect(new URL(artifactLocation.uri, run.originalUriBaseIds.ROOT.uri).protocol).toBe('file:');
    for (const rule of run.tool.driver.rules) expect(rule.shortDescription.text).toMatch(/\.$/);
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  it('identify a SARIF result independently of its line', async () => {
    const marks = async (page: string) => {
      folder.write({ 'a.md': page });
      const log = JSON.parse((await folder.check({ format: 'sarif' })).stdout);
      return log.runs[0].results.map((result: { partialFingerprints: object }) =>
        JSON.stringify(result.partialFingerprints),
      );
    };
    const before = await marks('[a](x.md)\n\n[b](x.md)\n\n[c](y.md)\n');
    expect(new Set(before).size).toBe(3);
    expect(await marks('# More\n\n[a](x.md) [b](x.md)\n\n\n[c](y.md)\n')).toEqual(before);
  });

  it('describe every rule', () => {
    expect(knownRules.filter((rule) => ruleDescriptions[rule] === undefined)).toEqual([]);
  });

  it('distinguish new, unchanged and absent results in SARIF', async () => {
    folder.git('init', '--quiet');
    folder.commit({ 'a.md': '[a](gone.md) [b](lost.md)' });
    folder.write({ 'a.md': '[a](gone.md) [c](new.md)' });
    const log = JSON.parse((await folder.check({ format: 'sarif', base: 'main' })).stdout);
    const states = log.runs[0].results.map((result: { baselineState: string; message: { text: string } }) => [
      result.baselineState,
      result.message.text.replace(/.*\[(.*)\]$/, '$1'),
    ]);
    expect(states).toEqual([
      ['unchanged', 'gone.md'],
      ['new', 'new.md'],
      ['absent', 'lost.md'],
    ]);
  });
});

const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const positive = { type: 'integer', minimum: 1 };

/** What the standard demands of the parts that are used here: SARIF 2.1.0, sections 3.13 to 3.30. */
const sarif = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['tool', 'results'],
        properties: {
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          originalUriBaseIds: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: { uri: { type: 'string', pattern: '^file:.*/$' } },
            },
          },
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: {
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: { id: { type: 'string', minLength: 1 }, shortDescription: text },
                    },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message', 'ruleId', 'level', 'locations'],
              properties: {
                message: text,
                level: { enum: ['none', 'note', 'warning', 'error'] },
                partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
                baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
                ruleIndex: { type: 'integer', minimum: 0 },
                locations: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      physicalLocation: {
                        type: 'object',
                        required: ['artifactLocation'],
                        properties: {
                          artifactLocation: {
                            type: 'object',
                            properties: {
                              uri: { type: 'string', pattern: "^[A-Za-z0-9%._~!$&'()*+,;=@/-]+$" },
                            },
                          },
                          region: {
                            type: 'object',
                            required: ['startLine'],
                            properties: {
                              startLine: positive,
                              startColumn: positive,
                              endLine: positive,
                              endColumn: positive,
                            },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
