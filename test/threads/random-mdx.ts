import fc from 'fast-check';

/** What MDX and its code are made of, and what has misled a scan of it: brackets in strings, comments and patterns. */
const PARTS = [
  ...['(', '[', '{', '}', ')', ']', '"', "'", '`', '${', '/', '//', '/*', '*/', '\\', '\n', '\n\n', ' '],
  ...[
    '<a>',
    '</a>',
    '<a b={',
    '/>',
    '<>',
    '</>',
    '<a b="',
    '=>',
    'a',
    '?',
    '!',
    '~',
    '-',
    '+',
    '=',
    ',',
    ';',
  ],
  ...['new ', 'typeof ', 'class a extends ', 'async ', 'function(){', 'if(a)', 'do ', 'else ', 'a:', '...'],
  ...['a=(', '(a=', '\n```\n', '`a', 'export const a=', '\nimport a ', '> ', '- ', '\n    '],
  ...['"}"+', '"("', '/"/', '/[/]}/', '{"}"'],
];

const MAX_LENGTH = 30_000;

/**
 * Random MDX of up to 30 KB: mixes of parts, and long rows of the same ones. Without elements it takes no exponential time.
 */
export const randomMdx = ({ hasElements }: { readonly hasElements: boolean }): fc.Arbitrary<string> => {
  const parts = PARTS.filter((part) => hasElements || !part.includes('<'));
  return fc
    .tuple(
      fc.constantFrom('', '{', 'export const a=', '<a b={', 'x {'),
      fc.array(
        fc.tuple(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }), fc.nat({ max: 8_000 })),
        { minLength: 1, maxLength: 12 },
      ),
      fc.nat({ max: 20 }),
    )
    .map(([start, rows, closed]) => {
      const text = rows.map(([parts, count]) => parts.join('').repeat(count)).join('');
      return `${start}${text}`.slice(0, MAX_LENGTH) + '}'.repeat(closed);
    });
};
