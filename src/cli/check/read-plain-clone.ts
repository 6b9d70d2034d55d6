import { lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseOrigin } from './read-origin.ts';
import type { Origin } from './repository-address.ts';

/** What git would report about a clone, read from its own files. */
export interface PlainClone {
  readonly origin: Origin;
  readonly indexFile: string;
  /** The commit of HEAD. */
  readonly commit: string;
}

/**
 * Reads a clone whose root is this folder and whose settings are the few plain ones that nearly all clones have, so
 * that git need not be run for them. Null for any other, also where settings outside the clone could apply.
 */
export function readPlainClone(root: string): PlainClone | null {
  if (Object.keys(process.env).some((name) => name.startsWith('GIT_') && !HARMLESS.test(name))) return null;
  const folder = path.join(root, '.git');
  try {
    // gitrepository-layout(5): what makes a folder a repository. Links and worktrees are left to git.
    const parts = [folder, path.join(folder, 'objects'), path.join(folder, 'refs')];
    if (!parts.every((part) => lstatSync(part).isDirectory())) return null;
    if (statSync(path.join(folder, 'commondir'), { throwIfNoEntry: false }) !== undefined) return null;
    const head = readFileSync(path.join(folder, 'HEAD'), 'utf8');
    const values = readPlainSettings(readFileSync(path.join(folder, 'config'), 'utf8'));
    // Without a remote here another settings file could still define one.
    if (values?.has('remote.origin.url') !== true) return null;
    const isHead = /^(?:ref: refs\/heads\/[^\n]+|[0-9a-f]{40,64})\n?$/.test(head);
    if (!isHead) return null;
    const commit = readCommit(folder, head.trimEnd());
    if (commit === null) return null;
    return { origin: parseOrigin(values, head), indexFile: path.join(folder, 'index'), commit };
  } catch {
    return null;
  }
}

function readCommit(folder: string, head: string): string | null {
  if (!head.startsWith('ref: ')) return head;
  const name = head.slice('ref: '.length);
  const loose = readText(path.join(folder, name));
  const packed = loose === null ? readText(path.join(folder, 'packed-refs')) : null;
  const line = packed?.split('\n').find((record) => record.endsWith(` ${name}`));
  const oid = (loose ?? line?.slice(0, -name.length - 1) ?? '').trimEnd();
  return /^[0-9a-f]{40,64}$/.test(oid) ? oid : null;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Environment variables of git that affect neither where a repository is nor what its settings are. */
const HARMLESS =
  /^GIT_(?:EDITOR|SEQUENCE_EDITOR|PAGER|PAGER_IN_USE|ASKPASS|TERMINAL_PROMPT|OPTIONAL_LOCKS|EXEC_PATH|(?:AUTHOR|COMMITTER|SSH|SSL|HTTP|PROXY|CURL)(?:_\w+)?)$/;

/** A name and a value without quotes, escapes, comments or trailing spaces. git-config(1), syntax. */
const LINE = /^[ \t]*([A-Za-z][A-Za-z0-9-]*) = ((?:[^"\\#;\s]| (?=[^"\\#;\s]))*)$/;
const SECTION = /^\[([A-Za-z]+)(?: "([^"\\\n]+)")?\]$/;

/** Settings that define where the work tree is, or that include more files. */
const FAR_REACHING = /^(?:core\.(?:worktree|bare)|include(?:if)?\..*|extensions\..*)$/;

/** Settings by name, in lower case except for quoted parts. Null when the file contains anything else. */
function readPlainSettings(text: string): Map<string, string> | null {
  const values = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, name, of] = SECTION.exec(line) ?? [];
    if (name !== undefined) {
      section = of === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${of}`;
      continue;
    }
    const [, key, value] = LINE.exec(line) ?? [];
    if (section === '' || key === undefined || value === undefined) return null;
    const full = `${section}.${key.toLowerCase()}`;
    if (FAR_REACHING.test(full) && !(full === 'core.bare' && value === 'false')) return null;
    values.set(full, value);
  }
  return values;
}
