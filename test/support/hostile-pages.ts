/**
 * Pages that once took a parser or a renderer more than linear time, or are built like those: what repeats is the whole
 * page, so that twice the length costs four times as much wherever a step looks at everything for each part of it.
 */
const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  'empty numbered items': (n) => fill('1.\n', n),
  'empty items': (n) => fill('-\n', n),
  tasks: (n) => fill('- [ ] a\n', n),
  'tasks of one list with blank lines': (n) => fill('- [x] a\n\n', n),
  'items with a blank continuation': (n) => fill('- a\n  \n', n),
  'items with a continuation': (n) => fill('- a\n  b\n', n),
  'items in quotes': (n) => fill('> - a\n', n),
  'lists that change their marker': (n) => fill('- a\n+ b\n', n),
  'one item with many emphases': (n) => `- ${fill('*a* ', n)}`,
  'a paragraph of many emphases': (n) => fill('*a* ', n),
  'a paragraph of many breaks': (n) => fill('a  \n', n),
  'equal headings': (n) => fill('# a\n', n),
  'different headings': (n) => numbered(n, (at) => `## h${at}\n`),
  'headings that end in numbers': (n) => numbered(n, (at) => `# a\n# a-${at}\n`),
  'headings with ids': (n) => numbered(n, (at) => `# a {#i${at}}\n`),
  'equal ids': (n) => fill('<a id="x"></a>\n\n', n),
  paragraphs: (n) => fill('a\n\n', n),
  quotes: (n) => fill('> a\n\n', n),
  alerts: (n) => fill('> [!NOTE]\n> a\n\n', n),
  'one quote of many paragraphs': (n) => fill('> a\n>\n', n),
  rules: (n) => fill('---\n\n', n),
  links: (n) => fill('[a](b.md) ', n),
  'links to headings': (n) => fill('[a](#a) ', n),
  pictures: (n) => fill('![a](b.png) ', n),
  'pictures in links': (n) => fill('[![a](b.png)](c.md) ', n),
  'broken references': (n) => fill('[a][b] ', n),
  'references and definitions': (n) => numbered(n, (at) => `[r${at}]\n\n[r${at}]: x.md\n\n`),
  'equal definitions': (n) => fill('[a]: b\n', n),
  footnotes: (n) => numbered(n, (at) => `a[^${at}]\n\n[^${at}]: b\n\n`),
  'calls of one footnote': (n) => `[^a]: b\n\n${fill('x[^a] ', n)}`,
  'footnotes that call each other': (n) => numbered(n, (at) => `[^${at}]: a[^${at + 1}]\n\n`),
  'rows of a table': (n) => `|a|b|\n|-|-|\n${fill('|c|d|\n', n)}`,
  'columns of a table': (n) => `${fill('|a', n / 4)}|\n${fill('|-', n / 4)}|\n${fill('|a', n / 4)}|\n`,
  tables: (n) => fill('|a|\n|-|\n|b|\n\n', n),
  fences: (n) => fill('```js\na\n```\n', n),
  'indented code': (n) => fill('    a\n\nb\n\n', n),
  'closed elements': (n) => fill('<b>a</b> ', n),
  'open paragraphs': (n) => fill('<p>a\n\n', n),
  'open list items': (n) => `<ul>${fill('<li>a', n)}</ul>`,
  details: (n) => fill('<details><summary>a</summary>b</details>\n\n', n),
  'self-closing elements': (n) => fill('<Badge />\n\n', n),
  'table cells of HTML': (n) => `<table><tr>${fill('<td>a', n)}</table>`,
  'text directly in a table': (n) => `<table>${fill('a<tr>', n)}</table>`,
  'elements that leave a table': (n) => `<table>${fill('<p>a</p>', n)}</table>`,
  'end tags without start': (n) => fill('</p>\n\n', n),
  comments: (n) => fill('<!-- a -->\n\n', n),
  'open angle brackets': (n) => fill('<', n),
  'tags cut off': (n) => fill('<a ', n),
  attributes: (n) => `<a ${numbered(n, (at) => `a${at}=b `)}>`,
  'open braces': (n) => fill('{', n),
  'attribute lists': (n) => fill('a {.b}\n\n', n),
  prices: (n) => fill('$5 and $6 ', n),
  formulas: (n) => fill('$a$ ', n),
  'formulas on lines of their own': (n) => fill('$$\na\n$$\n\n', n),
  hints: (n) => fill('{% hint style="info" %}\na\n{% endhint %}\n\n', n),
  'hints that never close': (n) => fill('{% hint style="info" %}\na\n', n),
  tabs: (n) => `{% tabs %}\n${fill('{% tab title="a" %}\nb\n{% endtab %}\n', n)}{% endtabs %}\n`,
  'open blocks': (n) => fill('{% ', n),
  containers: (n) => fill('::: tip\na\n:::\n\n', n),
  'containers that never close': (n) => fill('::: tip\n', n),
  admonitions: (n) => fill('!!! note\n    a\n\n', n),
  'tabs by indent': (n) => fill('=== "a"\n    b\n\n', n),
  includes: (n) => fill('{{#include a.md}}\n\n', n),
  descriptions: (n) => fill('a\n: b\n\n', n),
  expressions: (n) => fill('{{ a }} ', n),
  'JSX elements': (n) => fill('<Card href="a">b</Card>\n\n', n),
  'JSX elements that never close': (n) => fill('<Card>\n', n),
  'brackets in an expression': (n) => `{${fill('(', n / 2)}1${fill(')', n / 2)}}`,
  'brackets in an export': (n) => `export const a = ${fill('[', n / 2)}${fill(']', n / 2)}`,
  'negations in an expression': (n) => `{${fill('!', n)}1}`,
  'elements that never close in expressions': (n) => fill(`{${'<a>'.repeat(40)}}\n\n`, n),
  'elements in attributes that never close': (n) => fill(`${'<a b={'.repeat(40)}\n\n`, n),
  imports: (n) => fill("import a from './a.md'\n\n", n),
  backticks: (n) => fill('`a` ', n),
  'backticks that never close': (n) => numbered(n, (at) => `${'`'.repeat((at % 50) + 1)}a `),
  stars: (n) => fill('**a ', n),
  'stars and underscores': (n) => fill('*_', n),
  brackets: (n) => fill('[', n),
  'brackets in pairs': (n) => fill('[]', n),
  'blank lines': (n) => fill('\n', n),
  spaces: (n) => `a${fill(' ', n)}b`,
  'one word': (n) => fill('a', n),
  addresses: (n) => fill('https://a.b/c ', n),
  'mail addresses': (n) => fill('a@b.cc ', n),
  'character references': (n) => fill('&amp; ', n),
  emojis: (n) => fill(':rocket: ', n),
  'letters beyond ASCII': (n) => fill('é*a* ', n),
};

/** Every shape, with a page of about `length` UTF-16 code units. */
export function hostilePages(length: number): readonly (readonly [name: string, page: string])[] {
  return Object.entries(SHAPES).map(([name, make]) => [name, make(length)]);
}

function fill(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

function numbered(length: number, part: (at: number) => string): string {
  const parts: string[] = [];
  for (let at = 0, size = 0; size < length; at += 1) {
    const next = part(at);
    parts.push(next);
    size += next.length;
  }
  return parts.join('');
}
