import { type LinkResolution, linkVerdict, type PathResolution } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { decodePercent } from '../text/index.ts';
import { resolvePath } from '../tree/index.ts';
import type { ParsedTarget } from './parse-target.ts';
import { writeTarget } from './write-target.ts';

/** Addresses whose syntax alone can be checked: there is nothing to request. */
const COMPLETE = /^(?:mailto:(?:[^\s@?]+@[^\s@?]+(?:\?|$)|\?)|tel:\+?[\d\s().-]*\d|sms:\+?\d)/i;

const SCRIPT = {
  rule: 'script-address',
  message: 'The address runs a script: neither GitHub nor Docloom shows it as a link.',
} as const;

/** Resolves a parsed target by the common rules: an outside address is unchecked, an invalid one broken, a path a path. */
export function resolveParsed(file: RepoPath, parsed: ParsedTarget): LinkResolution {
  const { target } = parsed;
  if (target.kind === 'invalid') {
    return linkVerdict('broken', target.message, { rule: target.rule });
  }
  if (target.kind === 'url') {
    if (COMPLETE.test(decodePercent(target.url))) return linkVerdict('ok', null);
    const isScript = /^(?:javascript|vbscript):/i.test(target.url);
    return isScript
      ? linkVerdict('unchecked', SCRIPT.message, { warning: SCRIPT })
      : linkVerdict('unchecked', 'The link leads outside the repository and was not followed.');
  }
  return resolvePaths(file, parsed, [target.path]);
}

/** Resolves a target to candidate paths; suggestions are written in the style of `parsed`. */
export function resolvePaths(
  file: RepoPath,
  parsed: ParsedTarget,
  candidates: PathResolution['candidates'],
  anchor = parsed.target.kind === 'path' ? parsed.target.anchor : null,
): PathResolution {
  return {
    kind: 'path',
    candidates,
    anchor,
    wantsFolder: parsed.wantsFolder,
    expects: null,
    get unencoded() {
      return unencodedPaths(file, parsed);
    },
    write: (path, { tail = parsed.writtenTail, wantsFolder = parsed.wantsFolder } = {}) =>
      writeTarget(file, { ...parsed, wantsFolder }, path, tail),
    writeAnchor: (name) =>
      parsed.writtenPrefix + parsed.writtenPath + parsed.writtenTail.replace(/#[\s\S]*$/, () => `#${name}`),
  };
}

/** Paths if the author did not encode `#`, `?` or `%`, or wrote backslashes as on Windows. */
function unencodedPaths(file: RepoPath, parsed: ParsedTarget): PathResolution['unencoded'] {
  if (parsed.writtenPath === '') return [];
  if (parsed.writtenPath.includes('\\')) {
    const resolution = resolvePath(file, parsed.writtenPath.replaceAll('\\', '/'));
    return resolution.inside ? [{ path: resolution.path, tail: parsed.writtenTail }] : [];
  }
  return ['', parsed.writtenTail].flatMap((tail) => {
    const written = tail === '' ? parsed.writtenPath + parsed.writtenTail : parsed.writtenPath;
    if (!/[%#?]/.test(written)) return [];
    const resolution = resolvePath(file, written);
    return resolution.inside ? [{ path: resolution.path, tail }] : [];
  });
}
