import type { PublishedFiles, RedirectTable } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';

/**
 * A table of redirects in the `_redirects` file of a site (https://docs.netlify.com/manage/routing/redirects/overview/);
 * null when the file does not exist. `address` writes an address of the site as the file does.
 */
export function hostRedirectTable(
  { repository }: Pick<PublishedFiles, 'repository'>,
  file: RepoPath,
  address: (plain: string) => string,
): RedirectTable | null {
  const text = repository.index.entry(file) === undefined ? null : repository.text(file);
  if (text === null) return null;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const plain = (written: string) =>
    written.replace(/[?#].*$/, '').replace(/^\/|(?:\/|\.html|\/index\.html)$/g, '');
  const entries = [...text.matchAll(/^[ \t]*(\/[^\s*:]*)[ \t]+(\S+)[^\n]*\n?/gm)].map((match) => {
    const [line, from = '', to = ''] = match;
    const start = match.index + line.indexOf(to, line.indexOf(from) + from.length);
    return {
      from: plain(from),
      to: to.startsWith('/') && !/[*:]/.test(to) ? plain(to) : null,
      value: { start, end: start + to.length },
      whole: { start: match.index, end: match.index + line.length },
    };
  });
  // Rules after a rule for all addresses have no effect.
  const all = /^[ \t]*\/\*[ \t]/m.exec(text);
  return {
    file,
    entries,
    write: ({ from, to }) => [address(from), address(to)],
    insert(added) {
      const at = all?.index ?? text.length;
      const lines = added.map(([from, to]) => `${from} ${to} 301${eol}`).join('');
      return { start: at, end: at, text: (at > 0 && text[at - 1] !== '\n' ? eol : '') + lines };
    },
    replaceValue: ({ value }, to) => {
      const ending =
        /(?:\.html|\/)?$/.exec(text.slice(value.start, value.end).replace(/[?#].*$/, ''))?.[0] ?? '';
      return { ...value, text: to.endsWith('/') || to.endsWith(ending) ? to : to + ending };
    },
  };
}
