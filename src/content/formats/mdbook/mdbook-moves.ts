import { movedSetting } from '../../fix/index.ts';
import type {
  ConfigurationChange,
  FormatMoves,
  PublishedFiles,
  RedirectTable,
  SpaceMove,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import type { FileEdit } from '../../text/index.ts';
import { isInside, pathInside, relativePath, resolvePath } from '../../tree/index.ts';
import { readBookConfig } from './mdbook-config.ts';
import { findTomlTexts } from './toml-texts.ts';

/** Updates `book.toml`: its paths, and `[output.html.redirect]`. */
export const mdbookMoves: FormatMoves = { configure, addresses, redirects };

/** Settings that are paths relative to the book's folder. */
const PATHS = /^(?:book\.src|output\.html\.(?:theme|additional-css|additional-js))$/;

function configure({ repository, directory, moved }: SpaceMove): ConfigurationChange {
  const file = configFile(directory);
  const text = repository.text(file);
  const { source } = readBookConfig(repository, directory);
  if (text === null || source === null) return { edits: [], notices: [] };
  const { texts, tables } = findTomlTexts(text);
  const folders = { from: directory, newFrom: moved(directory) };
  const edits: FileEdit[] = texts.flatMap((candidate) => {
    const newPath = PATHS.test(candidate.key)
      ? movedSetting({ ...folders, written: candidate.value }, moved)
      : null;
    return newPath === null ? [] : [{ file, start: candidate.start, end: candidate.end, text: newPath }];
  });
  const newSource = movedSetting({ ...folders, written: 'src' }, moved);
  if (newSource !== null && !texts.some((candidate) => candidate.key === 'book.src')) {
    const at = tables.get('book');
    const line = `src = "${newSource}"\n`;
    edits.push({
      file,
      start: at ?? 0,
      end: at ?? 0,
      text: at === undefined ? `[book]\n${line}\n` : newlineBefore(text, at) + line,
    });
  }
  return { edits, notices: [] };
}

function addresses({ repository, directory, pages }: PublishedFiles): ReadonlyMap<RepoPath, string> {
  const { source, renamesReadme } = readBookConfig(repository, directory);
  const found = new Map<RepoPath, string>();
  for (const file of pages.keys()) {
    if (source === null || !isInside(file, source) || !file.endsWith('.md')) continue;
    const path = `${pathInside(file, source).slice(0, -3)}.html`;
    found.set(file, renamesReadme ? path.replace(/(^|\/)readme\.html$/i, '$1index.html') : path);
  }
  return found;
}

/** https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect */
function redirects({ repository, directory }: PublishedFiles): RedirectTable | string {
  const file = configFile(directory);
  const text = repository.text(file);
  if (text === null) return `${file} cannot be read`;
  const { texts, tables } = findTomlTexts(text);
  const names = [...tables.keys()];
  const hasOtherOutputs = names.some((name) => /^output\.(?!html\b)/.test(name));
  if (hasOtherOutputs && !names.some((name) => /^output\.html\b/.test(name)))
    return `${file} does not publish the book as HTML`;
  if (/^[ \t]*redirect[ \t]*=/m.test(text)) return `${file} has its redirects on one line`;
  const table = 'output.html.redirect';
  return {
    file,
    entries: texts
      .filter((candidate) => candidate.key.startsWith(`${table}.`) && candidate.isAlone)
      .map((candidate) => {
        const from = candidate.key.slice(table.length + 1).replace(/^\/+/, '');
        return { from, to: addressOf(from, candidate.value), value: candidate, whole: candidate.line };
      }),
    write: ({ from, to }) => [`/${from}`, relativePath(from, to)],
    insert(entries) {
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const lines = entries.map(([from, to]) => `${quote(from)} = ${quote(to)}${eol}`).join('');
      const at = tables.get(table) ?? text.length;
      const header = tables.has(table) ? '' : `${text.trim() === '' ? '' : eol}[${table}]${eol}`;
      return { start: at, end: at, text: newlineBefore(text, at, eol) + header + lines };
    },
    replaceValue: ({ value: { start, end }, from }, to) => {
      const written = text.slice(start, end);
      return { start, end, text: written.startsWith('/') ? `/${resolvedAddress(from, to)}` : to };
    },
  };
}

/** The destination of a redirect below the book's root; null when it leads out of the book. */
function addressOf(from: string, to: string): string | null {
  const path = to.replace(/[?#].*$/, '');
  if (path === '' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(path)) return null;
  const found = resolvePath(from, path);
  return found.inside ? found.path : null;
}

function resolvedAddress(from: string, to: string): string {
  return addressOf(from, to) ?? to;
}

function newlineBefore(text: string, at: number, eol = '\n'): string {
  return at > 0 && text[at - 1] !== '\n' ? eol : '';
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function configFile(directory: RepoPath): RepoPath {
  return directory === '' ? 'book.toml' : `${directory}/book.toml`;
}
