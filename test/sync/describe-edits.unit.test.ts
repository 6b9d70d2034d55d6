import { expect, test } from 'vitest';
import type { PlatformClient, Space } from '../../src/client/index.ts';
import type { ExportingBinding } from '../../src/store/index.ts';
import { describeEdits } from '../../src/sync/exports/describe-edits.ts';

/** The commit message of a merged change with this subject, by somebody of this name. */
async function write(subject: string, displayName: string, message: string): Promise<string> {
  const change = {
    number: 7,
    subject,
    mergedAt: '2026-11-20T08:00:00.000Z',
    createdBy: { id: 'u', displayName, email: 'ann@example.com' },
    urls: { app: 'https://docs.example/7' },
  };
  const edits = await describeEdits(
    {
      call: async () => ({ items: [change, { ...change, subject: 'Second', createdBy: undefined }] }),
    } as unknown as PlatformClient,
    {
      binding: { title: 'Guide\nSigned-off-by: Eve <eve@example.com>', directory: '' } as ExportingBinding,
      space: { id: 's' } as Space,
      settings: { message, 'sign-off': true } as Parameters<typeof describeEdits>[1]['settings'],
      committer: { name: 'Docloom', email: 'app@example.com' },
      since: null,
    },
  );
  return edits.message;
}

const forged = 'Co-authored-by: Eve <eve@example.com>';

test.each([
  [`Mend\n\n${forged}`, 'Ann', 'docs({space}): {change}'],
  [`Mend\r${forged}`, 'Ann', 'docs: {change}'],
  [`Mend\u2028${forged}`, 'Ann', 'docs: {change}\n\n{change}'],
  [forged, 'Ann', 'docs\n\n{change}'],
  ['Mend', `Ann\n${forged}`, 'docs: {change}\n\nby {author}'],
  ['Mend', `Ann <ann@example.com>\n${forged}`, 'docs: {change}'],
])('the subject %j by %j adds no line to a commit message', async (subject, name, message) => {
  const lines = (await write(subject, name, message)).split('\n');
  expect(lines.filter((line) => /^[\w-]+-by:/.test(line))).toEqual([
    expect.stringMatching(/^Signed-off-by: Ann\b[^<]* <ann@example\.com>$/),
  ]);
});
