/** Returns the text with each line changed that is not part of a fenced block of code. */
export function mapOutsideFences(
  source: string,
  change: (line: string, at: number, lines: readonly string[]) => string,
): string {
  let fence: string | null = null;
  return source
    .split('\n')
    .map((line, at, lines) => {
      const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== null) {
        if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
        return line;
      }
      if (mark === undefined) return change(line, at, lines);
      fence = mark;
      return line;
    })
    .join('\n');
}
