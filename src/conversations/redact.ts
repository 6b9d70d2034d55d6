/** What stands for what was removed. */
const EMAIL = '[email]';
const TOKEN = '[token]';
const CARD = '[card]';
const PHONE = '[phone]';

/** Characters that show nothing and would hide what is around them. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----BEGIN )[\s\S]){0,20000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

/** `user:password@` of an address. */
const CREDENTIALS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,500}@/gi;

/** An address of mail; its sign may be written as in HTML or in a URL. */
const MAIL =
  /[\p{L}\p{N}.%'+_~-]{1,64}(?:@|＠|%40|&#0?64;|&#x40;|&commat;)((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24})(?![\p{L}\p{N}])/giu;

/** What is written like an address of mail, but names a program’s user or a picture. */
const NO_MAIL = /^git@|@\dx\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

/** Tokens that their issuers made recognizable. */
const KNOWN_TOKEN = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    'gh[pousr]_[A-Za-z0-9]{20,255}',
    'github_pat_[A-Za-z0-9_]{20,255}',
    'gl(?:pat|ptt|dt|rt|soat)-[A-Za-z0-9_-]{16,255}',
    'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
    'xapp-[A-Za-z0-9-]{10,255}',
    '(?:sk|pk|rk|whsec)[_-](?:live|test|proj|ant)?[A-Za-z0-9_-]{16,255}',
    '(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}',
    'AIza[A-Za-z0-9_-]{30,50}',
    'ya29\\.[A-Za-z0-9_-]{20,255}',
    'npm_[A-Za-z0-9]{30,60}',
    'pypi-[A-Za-z0-9_-]{20,255}',
    'hf_[A-Za-z0-9]{20,60}',
    'do[oprt]_v1_[a-f0-9]{40,80}',
    'SG\\.[A-Za-z0-9_-]{16,40}\\.[A-Za-z0-9_-]{16,64}',
    'gb_api_[A-Za-z0-9]{16,80}',
    'dl_[A-Za-z0-9_-]{40,50}',
    'eyJ[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{0,2000}',
  ].join('|')})(?![A-Za-z0-9])`,
  'g',
);

/** What follows `Bearer` or `Basic`. */
const AUTHORIZATION =
  /\b(bearer|basic)([ \t]{1,4})(?=[A-Za-z0-9+/_.~=-]{0,4000}[0-9A-Z+/_.=])[A-Za-z0-9+/_.~=-]{12,4000}/gi;

/** `password: …`, `API_KEY=…`, `"client_secret": "…"`. */
const NAMED =
  /((?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|(?:api|access|auth|private|secret|client|signing|encryption|account)[_ -]?(?:key|secret|token))["'`]?[ \t]{0,3}(?:[:=]|=>|is)[ \t]{0,3}["'`]?)([^\s"'`,;<>()[\]{}]{4,500})/gi;

/** Words that stand in for a secret, and what a program puts there. */
const PLACEHOLDER =
  /^(?:\$|%|\*+$|x+$|\.+$|your|my|the|string|null|undefined|true|false|none|not|required|invalid|missing|expired|process\.|env)/i;

/** A long text of all kinds of signs, as only generated secrets are. */
const RANDOM = /(?<![A-Za-z0-9_/+.-])[A-Za-z0-9_+=-]{32,500}(?![A-Za-z0-9_/+-])/g;

const DIGITS = /(?<![\p{L}\p{N}])(?:\+|\(\+?)?\d(?:[ \u00a0().\u2010-\u2013/-]{0,3}\d){6,}/gu;

/** What makes the digits after it a phone number. */
const CALLS =
  /(?:tel|phone|call|mobile|cell|whatsapp|fax|telefon|sms|handy)[\p{L}]{0,6}[^\p{L}\p{N}+(]{0,6}(?:(?:me|us|is|at|on|no|number|nr)[^\p{L}\p{N}+(]{0,4}){0,3}$/iu;

/**
 * Removes what names or lets in a person: addresses of mail, tokens and passwords, card numbers, phone numbers. It
 * rather removes too much than too little, and removes nothing more from what it returned.
 */
export function redactText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(PRIVATE_KEY, TOKEN)
    .replace(CREDENTIALS, `$1${TOKEN}@`)
    .replace(KNOWN_TOKEN, TOKEN)
    .replace(AUTHORIZATION, `$1$2${TOKEN}`)
    .replace(MAIL, (mail) => (NO_MAIL.test(mail) ? mail : EMAIL))
    .replace(NAMED, (whole: string, name: string, value: string) =>
      PLACEHOLDER.test(value) || !isSecretValue(name, value) ? whole : `${name}${TOKEN}`,
    )
    .replace(RANDOM, (value) => (isRandom(value) ? TOKEN : value))
    .replace(DIGITS, redactCards)
    .replace(DIGITS, (digits, at: number, whole: string) =>
      isPhone(digits, {
        before: whole.slice(Math.max(0, at - 40), at),
        after: whole.slice(at + digits.length, at + digits.length + 1),
      })
        ? PHONE
        : digits,
    );
}

/** After “is”, as in “my token is …”, only what does not look like a word. */
function isSecretValue(name: string, value: string): boolean {
  const isSentence = /is[ \t]{0,3}["'`]?$/i.test(name);
  return isSentence ? /\d/.test(value) && value.length >= 6 : !/^\[(?:email|token|card|phone)\]/.test(value);
}

function isRandom(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && (value.match(/\d/g)?.length ?? 0) >= 3;
}

/** Card numbers have 13 to 19 digits in groups, begin with 2 to 6, and have a check digit. */
function redactCards(text: string): string {
  const groups = [...text.matchAll(/\d+/g)];
  let redacted = '';
  let readTo = 0;
  for (const [first, { index }] of groups.entries()) {
    const end = index < readTo ? null : findCardEnd(groups, first);
    if (end === null) continue;
    redacted += `${text.slice(readTo, index)}${CARD}`;
    readTo = end;
  }
  return redacted + text.slice(readTo);
}

/** Where the card number ends whose digits begin with this group; null if none does. */
function findCardEnd(groups: readonly RegExpExecArray[], first: number): number | null {
  let digits = '';
  for (let at = first; at < groups.length && digits.length < 19; at++) {
    const group = groups[at] as RegExpExecArray;
    digits += group[0];
    if (digits.length >= 13 && digits.length <= 19 && /^[2-6]/.test(digits) && passesLuhn(digits))
      return group.index + group[0].length;
  }
  return null;
}

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isPhone(
  text: string,
  { before, after }: { readonly before: string; readonly after: string },
): boolean {
  if (/[\p{L}\p{N}]/u.test(after)) return false;
  const count = text.match(/\d/g)?.length ?? 0;
  if (count < 7 || count > 15) return false;
  if (CALLS.test(before)) return true;
  const digits = text.replaceAll(/\D/g, '');
  // Of other numbers, only the forms that nothing else has: times, versions, addresses and counts have digits, too.
  if (/^\(?\+/.test(text)) return true;
  if (/^00[1-9]/.test(digits) && count >= 10) return true;
  if (/^\(0?\d{2,5}\)[ .-]?\d{3}/.test(text)) return true;
  if (/^\d{3}[ .\u2010-\u2013-]\d{3}[ .\u2010-\u2013-]\d{4}$/.test(text)) return true;
  if (/^1[ .-]\d{3}[ .-]\d{3}[ .-]\d{4}$/.test(text)) return true;
  return /^0[1-9]\d{0,4}[ /-]\d[\d /-]{5,}$/.test(text) && count >= 9;
}

/** The address without credentials, and without what redaction removes; null if it is none of the web. */
export function redactUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  url.username = '';
  url.password = '';
  url.pathname = url.pathname
    .split('/')
    .map((segment) => (isClean(decode(segment)) ? segment : 'redacted'))
    .join('/');
  for (const [name, value] of [...url.searchParams])
    if (!isClean(value) || !isClean(`${name}=${value}`)) url.searchParams.set(name, 'redacted');
  if (!isClean(decode(url.hash))) url.hash = '';
  return url.href;
}

const isClean = (text: string) => redactText(text) === text;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
