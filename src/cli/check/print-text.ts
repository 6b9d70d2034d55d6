import type { Link } from '../../content/index.ts';
import type { CheckResult } from './check-tree.ts';

/** The result for people: broken links by file, what could not be read, and one line of numbers. */
export function printText({ files, links, problems }: CheckResult): string {
  const broken = links.filter((link) => link.status === 'broken');
  const lines: string[] = [];
  for (const [file, group] of Map.groupBy(broken, (link) => link.file)) {
    lines.push(...group.map((link) => describe(file, link)), '');
  }
  for (const { file, line, message } of problems) {
    lines.push(`${printable(file)}${line === null ? '' : `:${line}`}  warning  ${printable(message)}`);
  }
  if (problems.length > 0) lines.push('');
  const unchecked = links.filter((link) => link.status === 'unchecked').length;
  lines.push(
    `${number(links.length, 'link')} in ${number(files, 'file')}: ${broken.length} broken, ${unchecked} unchecked.`,
  );
  return `${lines.join('\n')}\n`;
}

function describe(file: string, link: Link): string {
  const suggestion = link.suggestion === null ? '' : ` (did you mean ${link.suggestion}?)`;
  return printable(
    `${file}:${link.line}:${link.column}  ${link.rule}  ${link.message ?? ''} [${link.target}]${suggestion}`,
  );
}

/** Control characters of hostile names and links would speak to the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{fffd}');
}

function number(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}
