import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAttributePath, parseScimFilter } from '../../../src/platform/scim/attribute-path.ts';
import { readGroupPatch } from '../../../src/platform/scim/group-change.ts';
import { ScimError } from '../../../src/platform/scim/scim-error.ts';
import { addressOf, patchUser, readUser } from '../../../src/platform/scim/user-draft.ts';
import { processorTime } from '../../support/processor-time.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const patch = (...Operations: object[]) => ({ Operations });

describe('a filter', () => {
  it.each([
    ['userName eq "grace@corp.example"', [['username', 'grace@corp.example']]],
    ['  externalId   EQ "a \\"b\\" \\u00e9"  ', [['externalid', 'a "b" é']]],
    ['emails[type eq "work"].value eq "x"', [['emails.value', 'x']]],
    [
      'emails.value eq "x" and active eq TRUE',
      [
        ['emails.value', 'x'],
        ['active', true],
      ],
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', [['username', 'x']]],
  ])('%s is understood', (text, expected) => {
    expect(parseScimFilter(text).map(({ attribute, value }) => [attribute, value])).toEqual(expected);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq "x',
    'userName eq x',
    'userName co "x"',
    'userName eq "x" or userName eq "y"',
    'not (userName eq "x")',
    '(userName eq "x")',
    'userName eq "x" and',
    'emails[type eq "work" eq "x"',
    'userName eq "\\q"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    `${'('.repeat(100_000)}userName eq "x"`,
    `userName eq "${'x'.repeat(1_000)}"`,
    `a[${'b['.repeat(400)}`,
  ])('%.60s is refused with a sentence', (text) => {
    expect(() => parseScimFilter(text)).toThrow(ScimError);
  });

  it('of any text is understood or refused, at once', () => {
    const part = fc.constantFrom(
      'a',
      ' eq ',
      '"',
      '\\',
      '[',
      ']',
      '.',
      ' and ',
      '(',
      'true',
      'urn:',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 400 }), (parts) => {
        for (const parse of [parseScimFilter, parseAttributePath]) {
          try {
            parse(parts.join(''));
          } catch (error) {
            if (!(error instanceof ScimError)) throw error;
          }
        }
      }),
      propertyRuns(300),
    );
  });
});

describe('a user', () => {
  const user = { userName: 'grace', externalId: null, profile: {} };

  it('has the primary address, or that for work, or the first, or their name', () => {
    const of = (emails: object[]) => addressOf(readUser({ userName: 'Name@x.example', emails }));
    expect(of([{ value: 'A@x.example' }, { value: 'b@x.example', type: 'work' }])).toBe('b@x.example');
    expect(of([{ value: 'A@x.example' }, { value: 'b@x.example', primary: 'True' }])).toBe('b@x.example');
    expect(of([{ value: 'A@x.example' }])).toBe('a@x.example');
    expect(of([])).toBe('name@x.example');
    expect(addressOf(user)).toBeNull();
  });

  it('is read in any letter case, and keeps what a PATCH does not name', () => {
    const draft = readUser({ USERNAME: 'g', Name: { GIVENNAME: 'G', familyName: 'H' } });
    expect(draft).toMatchObject({ userName: 'g', profile: { name: { givenName: 'G', familyName: 'H' } } });
    const patched = patchUser(draft, patch({ op: 'Remove', path: 'name.familyName' }));
    expect(patched).toMatchObject({
      userName: 'g',
      active: undefined,
      profile: { name: { givenName: 'G' } },
    });
    expect(patched.profile.name).not.toHaveProperty('familyName');
  });

  it.each([
    ['no operations', {}],
    ['operations that are none', patch('x' as never)],
    ['an unknown op', patch({ op: 'move', path: 'active', value: true })],
    ['a removal without a path', patch({ op: 'remove' })],
    ['a value that is neither true nor false', patch({ op: 'replace', path: 'active', value: 'maybe' })],
    ['a name with a line break', patch({ op: 'replace', path: 'displayName', value: 'a\nb' })],
    ['half a character', patch({ op: 'replace', path: 'userName', value: '\ud800' })],
    ['a name that is empty', patch({ op: 'replace', path: 'userName', value: '' })],
    ['an address that is none', patch({ op: 'add', path: 'emails', value: [{ value: 'grace' }] })],
    [
      'an address that nothing picks',
      patch({ op: 'add', path: 'emails[value eq "x"].value', value: 'a@b.example' }),
    ],
    [
      'too many addresses',
      patch({ op: 'add', path: 'emails', value: Array(21).fill({ value: 'a@b.example' }) }),
    ],
    [
      'a path with a filter in a filter',
      patch({ op: 'add', path: 'emails[type[a eq "b"] eq "c"]', value: '' }),
    ],
    ['a value without a path that is no object', patch({ op: 'replace', value: [] })],
    ['too many operations', patch(...Array(10_001).fill({ op: 'replace', path: 'active', value: true }))],
  ])('is not changed by %s', (_what, body) => {
    expect(() => patchUser(user, body)).toThrow(ScimError);
  });
});

describe('a group', () => {
  it('changes as its operations say, one after the other', () => {
    const { members } = readGroupPatch(
      patch(
        { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b' }] },
        { op: 'remove', path: 'members' },
        { op: 'Add', value: { members: [{ value: 'c' }, { value: 'd' }] } },
        { op: 'remove', path: 'members[value eq "c"]' },
        { op: 'Remove', path: 'members', value: { value: 'e' } },
      ),
    );
    expect(members).toEqual({ replaced: true, added: new Set(['d']), removed: new Set(['c', 'e']) });
  });

  it('of ten thousand members is read in a moment, and more than twenty thousand are refused', async () => {
    const removals = Array.from({ length: 10_000 }, (_, i) => ({
      op: 'remove',
      path: `members[value eq "${i}"]`,
    }));
    const time = await processorTime(() =>
      expect(readGroupPatch(patch(...removals)).members.removed.size).toBe(10_000),
    );
    // Work that grows with the square of the operations takes minutes.
    expect(time).toBeLessThan(10_000);
    const half = Array.from({ length: 10_001 }, (_, i) => ({ value: String(i) }));
    const add = { op: 'add', path: 'members', value: half };
    expect(() => readGroupPatch(patch(add, add))).toThrow('at most 20000 members');
  });
});
