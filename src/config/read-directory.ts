const MAX_LENGTH = 1_000;

/** A folder or file of the repository as written for a key, normalised ('' for the root), or what is wrong with it. */
export function readDirectory(
  written: string,
  key: string,
): { readonly directory: string } | { readonly problem: string } {
  const said = written.trim();
  const refuse = (problem: string) => ({ problem: `\`${key}\` ${problem}` });
  if (said === '') return refuse('is empty. Write `.` for the root of the repository.');
  if (said.length > MAX_LENGTH) return refuse(`is longer than ${MAX_LENGTH} characters.`);
  if (/\p{Cc}/u.test(said)) return refuse('holds control characters.');
  if (said.includes('\\')) return refuse('holds `\\`. Write `/` between folders.');
  if (said.startsWith('/') || /^[a-z]:/i.test(said)) {
    return refuse('must start at the root of the repository, without a leading `/`.');
  }
  const segments = said.split('/').filter((one) => one !== '' && one !== '.');
  if (segments.includes('..')) return refuse('may not hold `..`: it stays inside its repository.');
  if (segments.some((one) => one.toLowerCase() === '.git')) return refuse('may not be inside `.git`.');
  return { directory: segments.join('/') };
}
