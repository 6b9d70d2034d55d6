/** In characters (NIST SP 800-63B-4, section 3.1.1.2, asks for 15 where a password is all there is, 8 otherwise). */
export const MIN_PASSWORD = 12;
/** In characters: far more than anybody remembers, and no work for the server. */
export const MAX_PASSWORD = 256;

/** How many digits or signs around a known password leave it a known one. */
const MAX_AROUND = 4;

/**
 * Why a password cannot be chosen, in one sentence; null when it can. There are no rules about the kinds of characters: only
 * passwords that others guess first are refused, by the list of leaked ones in `@zxcvbn-ts/language-common`.
 *
 * @param about What anybody knows of the account: its name and address.
 */
export async function checkNewPassword(password: string, about: readonly string[]): Promise<string | null> {
  const text = password.normalize('NFKC');
  const { length } = [...text];
  if (length < MIN_PASSWORD)
    return `The password has ${length === 1 ? '1 character' : `${length} characters`}; choose one with at least ${MIN_PASSWORD}, for example four unrelated words.`;
  if (length > MAX_PASSWORD)
    return `The password is too long; choose one with at most ${MAX_PASSWORD} characters.`;
  const lower = text.toLowerCase();
  if (isRepetitive(lower)) return 'The password repeats a few characters; choose another one.';
  const own = about.flatMap((one) => [one, ...one.split(/[^\p{L}\p{N}]+/u)]).map((one) => one.toLowerCase());
  const known = new Set(own.filter((one) => one.length >= 3));
  known.add('docloom');
  for (const leaked of await leakedPasswords()) known.add(leaked);
  if (isMadeOf(lower, known))
    return 'The password is among those that are guessed first, or close to one; choose another one, for example four unrelated words.';
  return null;
}

/** Whether a text is a known one, or two of them, with a few digits or signs before, between or after. */
function isMadeOf(text: string, known: ReadonlySet<string>): boolean {
  const core = trimSigns(text);
  if (known.has(text) || core === '') return true;
  if (text.length - core.length <= MAX_AROUND && known.has(core)) return true;
  for (let at = 3; at <= text.length - 3; at++) {
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    if (
      [head, trimSigns(head)].some((one) => known.has(one)) &&
      [tail, trimSigns(tail)].some((one) => known.has(one))
    )
      return true;
  }
  return false;
}

/** Without digits and signs at its ends. */
function trimSigns(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

/** `aaaaaaaaaaaa`, `abcabcabcabc`, `123456789012`: up to four characters again and again, or one after the other. */
function isRepetitive(text: string): boolean {
  if (/^(.{1,4}?)\1+.{0,3}$/su.test(text)) return true;
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)));
  return steps.size === 1 && Math.abs([...steps][0] ?? 9) <= 1;
}

/** Loaded when somebody chooses a password, which is seldom. */
async function leakedPasswords(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
}
