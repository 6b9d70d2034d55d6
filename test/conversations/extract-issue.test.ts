import { expect, test } from 'vitest';
import { extractIssue, type Message } from '../../src/conversations/extract-issue.ts';

const user = (body: string): Message => ({ role: 'user', body });
const team = (body: string): Message => ({ role: 'team-member', body });

test.each<[string, string | null, Message[], string, string]>([
  [
    'the first question of the user, and what they say besides',
    'Help',
    [
      team('How can we help you?'),
      user('Hi there!\n\nI imported my docs. How do I hide a page from the sidebar? Thanks'),
    ],
    'How do I hide a page from the sidebar?',
    'I imported my docs.',
  ],
  [
    'the subject where there is no question',
    'Import fails with a YAML error',
    [user('The import stops at `summary.yaml`. It worked last week.')],
    'Import fails with a YAML error',
    'The import stops at summary.yaml. It worked last week.',
  ],
  [
    'the first sentence without a subject',
    null,
    [user('Search finds nothing in Japanese. It should find them.')],
    'Search finds nothing in Japanese.',
    'It should find them.',
  ],
  [
    'HTML without its tags, and Markdown without code',
    null,
    [user('<p>Is there a <b>dark</b> theme&#63;</p><script>a()</script>\n```\nWhat is this?\n```')],
    'Is there a dark theme?',
    'Is there a dark theme?',
  ],
  [
    'questions of other scripts',
    null,
    [user('こんにちは。ページを移動するにはどうすればいいですか？')],
    'ページを移動するにはどうすればいいですか？',
    'ページを移動するにはどうすればいいですか？',
  ],
  [
    'the team’s words where the user said nothing',
    null,
    [team('Where is the export button now?')],
    'Where is the export button now?',
    'Where is the export button now?',
  ],
  ['a title for nothing', null, [], 'Conversation without text', 'Conversation without text'],
])('an issue has %s', (_name, subject, messages, title, summary) => {
  expect(extractIssue(subject, messages)).toEqual({ title, summary });
});

test('long texts end at a word', () => {
  const { title, summary } = extractIssue(null, [user(`${'word '.repeat(60)}?\n${'other '.repeat(200)}`)]);
  expect(title.length).toBeLessThanOrEqual(150);
  expect(title).toMatch(/word…$/);
  expect(summary.length).toBeLessThanOrEqual(500);
});
