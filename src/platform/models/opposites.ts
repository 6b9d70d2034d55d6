/** Beginnings of words, in pairs of which each says the contrary of the other, in the languages of most docs. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['enabl', 'disabl'],
  ['activat', 'deactivat'],
  ['allow|permit', 'forbid|forbad|den(?:y|ie)|prohibit|disallow'],
  ['includ', 'exclud|omit'],
  ['requir|mandatory|must', 'optional'],
  ['always', 'never|rarely'],
  ['minimum|minimal', 'maximum|maximal'],
  ['least', 'most'],
  ['increas', 'decreas|reduc'],
  ['more', 'less|fewer'],
  ['larger|bigger|greater|higher', 'smaller|lower'],
  ['faster', 'slower'],
  ['longer', 'shorter'],
  ['before', 'after'],
  ['above', 'below'],
  ['public', 'private'],
  ['encrypted', 'unencrypted'],
  ['supported', 'unsupported'],
  ['possibl', 'impossibl'],
  ['valid', 'invalid'],
  ['safe', 'unsafe|dangerous'],
  ['synchronous', 'asynchronous'],
  ['succe', 'fail'],
  ['true', 'false'],
  ['first', 'last'],
  ['newest|latest', 'oldest'],
  ['aktivier', 'deaktivier'],
  ['erlaub', 'verbiet|verboten'],
  ['immer', 'nie'],
  ['mindest', 'höchst'],
  ['mehr', 'weniger'],
  ['vor', 'nach'],
];

const matcher = (beginnings: string) => new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${beginnings})`, 'iu');
const matchers = PAIRS.map(([one, other]) => [matcher(one), matcher(other)] as const);

/** Whether one text has a word where the other has the contrary of it, such as “enabled” and “disabled”. */
export function haveOpposites(one: string, other: string): boolean {
  return matchers.some(([first, second]) => {
    const has = (text: string) => [first.test(text), second.test(text)] as const;
    const [a, b] = [has(one), has(other)];
    return (a[0] && !a[1] && b[1] && !b[0]) || (a[1] && !a[0] && b[0] && !b[1]);
  });
}
