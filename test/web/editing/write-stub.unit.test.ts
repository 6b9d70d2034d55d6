import { describe, expect, it, test } from 'vitest';
import { readPlainDocument, writePlainDocument } from '../../../src/web/editing/plain-document.ts';
import { writeStub } from '../../../src/web/editing/write-stub.ts';

describe('a page for questions', () => {
  it('has its title, and lists each question once, at most ten', () => {
    const questions = ['How?', ' How? ', '', ...Array.from({ length: 12 }, (_, at) => `Question ${at}`)];
    const lines = writeStub('---\ntitle: T\n---\n\n# T\n\n', questions).split('\n');
    expect(lines.slice(0, 9)).toEqual(['---', 'title: T', '---', '', '# T', '', 'People ask:', '', '- How?']);
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(10);
  });

  test.each([
    ['[here](https://x.example)', '\\[here\\](https\\://x.example)'],
    ['<script>alert(1)</script>', '\\<script\\>alert(1)\\</script\\>'],
    ['{% include "x" %} {{ secret }}', '(% include "x" %) (( secret ))'],
    ['see www.x.example', 'see www\\.x.example'],
    ['# Title', '\\# Title'],
    ['1. One', '1\\. One'],
    ['- item', '\\- item'],
    ['a\n\n---\n\nb', 'a --- b'],
    ['![x](y) `code` *a* _b_ ~c~ | $d$', '\\!\\[x\\](y) \\`code\\` \\*a\\* \\_b\\_ \\~c\\~ \\| \\$d\\$'],
    ['import x from "y"', 'import x from "y"'],
  ])('what somebody asked stays text: %s', (question, line) => {
    expect(writeStub('# T\n', [question])).toBe(`# T\n\nPeople ask:\n\n- ${line}\n`);
  });
});

describe('instructions as text', () => {
  it('are paragraphs, and the same text again', () => {
    const text = 'Be short.\nVery.\n\nSay “space”.';
    const document = writePlainDocument(`\r\n${text.replaceAll('\n', '\r\n')}\r\n\r\n`);
    expect(document.nodes).toHaveLength(2);
    expect(readPlainDocument(document)).toBe(text);
    expect(writePlainDocument(' \n').nodes).toEqual([]);
  });

  it('of a document with lists have a paragraph for each item', () => {
    const leaf = (text: string) => ({
      object: 'text' as const,
      leaves: [{ object: 'leaf' as const, text, marks: [] }],
    });
    const block = (type: string, nodes: object[]) => ({ object: 'block' as const, type, nodes });
    const item = (text: string) => block('list-item', [block('paragraph', [leaf(text)])]);
    const nodes = [
      block('heading-1', [leaf('Tone')]),
      block('list-unordered', [item('Kind'), item('Short')]),
    ];
    expect(readPlainDocument({ object: 'document', data: { schemaVersion: 1 }, nodes } as never)).toBe(
      'Tone\n\nKind\n\nShort',
    );
  });
});
