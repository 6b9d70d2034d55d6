import type { AnchorVerdict } from '../format-port/index.ts';
import type { FileFacts } from '../model/index.ts';

/**
 * The verdict on an anchor that a heading names itself (`## Part {#part}`) in text whose reader shows that as text: another
 * program, which the repository does not show, publishes the page. Null where no heading does.
 */
export function explainWrittenName({ anchors }: FileFacts, anchor: string): AnchorVerdict | null {
  if (anchor === '') return null;
  const end = `{#${anchor}}`;
  if (!anchors.some(({ heading }) => heading !== null && nameAtEnd(heading) === end)) return null;
  const message = `A heading ends with ${end}, and nothing here says what publishes the page and reads that as its name.`;
  return { status: 'unchecked', message };
}

/** The name at the end of a heading, without the spaces in its brackets; empty when there is none. */
function nameAtEnd(heading: string): string {
  const text = heading.trimEnd();
  const start = text.lastIndexOf('{');
  return start === -1 || !text.endsWith('}') ? '' : `{${text.slice(start + 1, -1).trim()}}`;
}
