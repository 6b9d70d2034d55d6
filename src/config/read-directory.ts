const MAX_LENGTH = 1_000;

/** Normalises a folder or file of the repository as written for a key ('' for the root), or describes what is wrong. */
export function readDirectory(
  written: string,
  key: string,
): { readonly directory: string } | { readonly problem: string } {
  const path = written.trim();
  const refuse = (problem: string) => ({ problem: `\`${key}\` ${problem}` });
  if (path === '') return refuse('is empty. Write `.` for the root of the repository.');
  if (path.length > MAX_LENGTH) return refuse(`is longer than ${MAX_LENGTH} characters.`);
  if (/\p{Cc}/u.test(path)) return refuse('contains control characters.');
  if (path.includes('\\')) return refuse('contains `\\`. Write `/` between folders.');
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) {
    return refuse('must start at the root of the repository, without a leading `/`.');
  }
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return refuse('must not contain `..`: it must stay inside its repository.');
  if (segments.some((segment) => segment.toLowerCase() === '.git'))
    return refuse('must not be inside `.git`.');
  return { directory: segments.join('/') };
}
