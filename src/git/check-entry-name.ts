import { isUtf8 } from 'node:buffer';

/**
 * Returns why a name cannot be part of a path, or null. Git itself refuses to check these out (`verify_path`, with
 * `core.protectHFS` and `core.protectNTFS`), but not to store them: a name that a file system of macOS or Windows
 * treats as `.git` would run as configuration and hooks for whoever checks it out.
 */
export function entryNameProblem(name: Buffer): string | null {
  if (!isUtf8(name)) return 'its name is not UTF-8';
  if (name.length === 0 || name.includes(0x2f)) return 'its name is empty or has a slash';
  const [first] = name;
  // Most names start with neither a dot, nor a G, nor a non-ASCII byte.
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && (first as number) < 0x80) return null;
  const text = name.toString('utf8');
  if (text === '.' || text === '..' || /^\.git$/i.test(text)) return `${text} is not allowed in a path`;
  return isDotGit(text) ? `${JSON.stringify(text.slice(0, 40))} means .git on some file systems` : null;
}

/** Code points that HFS+ ignores when it compares names (`is_hfs_dotgit` in git's utf8.c). */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a name is `.git`, or HFS+ or NTFS treats it as such: any case, trailing dots and spaces, its short name, a stream. */
export function isDotGit(name: string): boolean {
  const [plain = ''] = name.replace(ignoredByHfs, '').toLowerCase().split(/[:\\]/, 1);
  return /^(?:\.git|git~1)[. ]*$/.test(plain);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const refusedByWindows = /[\x00-\x1f<>:"|?*\\]/;
const devicesOfWindows =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i;

/**
 * Returns why no clone on Windows can have a file or folder of this name, or null. Git there stops at such a name, and with
 * it the whole checkout. https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function windowsNameProblem(name: string): string | null {
  const shown = JSON.stringify(name.slice(0, 40));
  const [character] = refusedByWindows.exec(name) ?? [];
  if (character !== undefined) {
    const isControl = character < ' ';
    return `${shown} contains ${isControl ? 'a line break or another control character' : character}`;
  }
  if (/[. ]$/.test(name)) return `${shown} ends with a ${name.endsWith('.') ? 'dot' : 'space'}`;
  return devicesOfWindows.test(name) ? `${shown} is the name of a device there` : null;
}
