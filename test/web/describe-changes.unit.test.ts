import { expect, test } from 'vitest';
import { describeChanges } from '../../src/web/views/describe-changes.ts';

test('fields of an event are told in words, before and after', () => {
  expect(
    describeChanges(
      { role: 'read', disabled: false, emailDomains: [], gone: 1 },
      { role: 'admin', disabled: true, emailDomains: ['a.example', 'b.example'], defaultTeamId: null },
    ),
  ).toEqual([
    { field: 'role', from: 'read', to: 'admin' },
    { field: 'disabled', from: 'no', to: 'yes' },
    { field: 'email domains', from: 'none', to: 'a.example, b.example' },
    { field: 'gone', from: '1', to: null },
    { field: 'default team id', from: null, to: 'none' },
  ]);
});

test('objects are JSON, ids keep their capitals, and long values are cut', () => {
  expect(describeChanges({}, { ssoURL: { a: [1] }, long: 'x'.repeat(400) })).toEqual([
    { field: 'ssoURL', from: null, to: '{"a":[1]}' },
    { field: 'long', from: null, to: `${'x'.repeat(300)}…` },
  ]);
});

test('people and teams are told by their names', () => {
  const [ada, bob] = [
    { id: '1', name: 'Ada', role: 'owner' },
    { id: '2', name: 'Bob' },
  ];
  expect(describeChanges({ members: [] }, { members: [ada, bob], moreMembers: 7, team: bob })).toEqual([
    { field: 'members', from: 'none', to: 'Ada (owner), Bob' },
    { field: 'more members', from: null, to: '7' },
    { field: 'team', from: null, to: 'Bob' },
  ]);
  expect(describeChanges({}, { user: { id: '3', name: null } })).toEqual([
    { field: 'user', from: null, to: '{"id":"3","name":null}' },
  ]);
});
