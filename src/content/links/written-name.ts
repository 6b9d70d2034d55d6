import type { AnchorVerdict } from '../format-port/index.ts';
import type { FileFacts } from '../model/index.ts';

/**
 * The verdict on an anchor that a heading names itself (`## Part {#part}`) in text whose reader shows that as text: another
 * program, which the repository does not show, publishes the page. Null where no heading does.
 */
export function explainWrittenName({ anchors }: FileFacts, anchor: string): AnchorVerdict | null {
  if (anchor === '') return null;
  const end = `{#${anchor}}`;
  if (!anchors.some(({ heading }) => heading?.trimEnd().endsWith(end) === true)) return null;
  const message = `A heading ends with ${end}, and nothing here says what publishes the page and reads that as its name.`;
  return { status: 'unchecked', message };
}
