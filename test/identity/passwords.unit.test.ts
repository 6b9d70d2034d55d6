import { describe, expect, test } from 'vitest';
import { checkNewPassword } from '../../src/identity/passwords/check-new-password.ts';
import { hashPassword, TooManySignIns, verifyPassword } from '../../src/identity/passwords/hash-password.ts';

const GOOD = 'plum otter violin kettle';
/** Of passwords whose cost is not what is tried: the real one takes 0.2 s. */
const CHEAP = { ln: 4, r: 8, p: 1 };

describe('a new password', () => {
  test.each([
    ['too short', 'h8!kQ2#zzza', 'has 11 characters'],
    ['empty', '', 'has 0 characters'],
    ['endless', `${'pl um'.repeat(60)}x`, 'at most 256'],
    ['one letter again and again', 'aaaaaaaaaaaaaa', 'repeats'],
    ['two letters again and again', 'xyxyxyxyxyxyx', 'repeats'],
    ['a row of letters', 'abcdefghijklmn', 'repeats'],
    ['leaked', 'qwerty123456', 'guessed first'],
    ['leaked, in capitals', 'QWERTY123456', 'guessed first'],
    ['leaked, with digits', 'unbelievable1', 'guessed first'],
    ['two leaked ones', 'passwordmonkey', 'guessed first'],
    ['a leaked one with a year', 'superman-2026', 'guessed first'],
    ['digits only', '492817365027', 'guessed first'],
    ['the address', 'ada.lovelace@docs.example', 'guessed first'],
    ['the name twice', 'Lovelace-Lovelace', 'guessed first'],
    ['the name of the product', 'docloompassword', 'guessed first'],
  ])('that is %s is refused with a sentence that does not repeat it', async (_, password, sentence) => {
    const problem = await checkNewPassword(password, ['Ada Lovelace', 'ada.lovelace@docs.example']);
    expect(problem).toContain(sentence);
    if (password !== '') expect(problem).not.toContain(password);
  });

  test.each([
    GOOD,
    'correct horse battery staple',
    'длинный секрет кота',
    '猫が好きな紫色の傘と古い時計',
    'Xq7!mPz4#rT9',
  ])('needs no kinds of characters: %s', async (password) => {
    expect(await checkNewPassword(password, ['Ada Lovelace', 'ada@docs.example'])).toBeNull();
  });
});

describe('a stored password', () => {
  test('has its cost and a salt of its own, and matches only itself', async () => {
    const [one, other] = await Promise.all([hashPassword(GOOD), hashPassword(GOOD)]);
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword(one, GOOD)).toEqual({ isRight: true, isOutdated: false });
    expect(await verifyPassword(one, `${GOOD}s`)).toMatchObject({ isRight: false });
  });

  test('matches however a keyboard wrote its letters', async () => {
    const stored = await hashPassword('caf\u00e9 piano kettle', CHEAP);
    expect(await verifyPassword(stored, 'cafe\u0301 piano kettle', CHEAP)).toMatchObject({ isRight: true });
  });

  test('of an earlier cost matches, and is to be stored anew', async () => {
    const stored = '$scrypt$ln=10,r=8,p=1$c29tZXNhbHRzb21lc2FsdA$';
    const { scryptSync } = await import('node:crypto');
    const hash = scryptSync(GOOD, 'somesaltsomesalt', 32, { N: 1024, r: 8, p: 1 })
      .toString('base64')
      .replace(/=+$/, '');
    expect(await verifyPassword(stored + hash, GOOD)).toEqual({ isRight: true, isOutdated: true });
  });

  test('that is absent or damaged matches nothing', async () => {
    for (const stored of [null, '', 'x', '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA'])
      expect(await verifyPassword(stored, GOOD, CHEAP)).toMatchObject({ isRight: false });
  });

  test('is not checked while too many others wait', async () => {
    const checks = Array.from({ length: 60 }, () => verifyPassword('$scrypt$ln=4,r=1,p=1$AAAA$AAAA', 'x'));
    const results = await Promise.allSettled(checks);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.length).toBe(8);
    expect(refused.every((error) => error instanceof TooManySignIns)).toBe(true);
  });
});
