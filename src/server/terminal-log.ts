import type { DestinationStream } from 'pino';
import pretty from 'pino-pretty';

/**
 * Where a log goes that a person reads on a terminal: a line for each entry, with the time of day, the level and the message,
 * and then its fields. Control characters, which a name from a repository may contain, do not reach the terminal.
 */
export function openTerminalLog(
  terminal: Pick<NodeJS.WriteStream, 'write'>,
  options: { readonly colours: boolean },
): DestinationStream {
  const format = pretty.prettyFactory({
    colorize: options.colours,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  return { write: (line) => void terminal.write(format(withoutControls(line))) };
}

/** Replaces control characters in a JSON text, but for line breaks and tabs: errors have several lines. */
export function withoutControls(json: string): string {
  return json
    .replace(/\\(?:\\|u00[01][\da-f]|[brf])/gi, (sequence) => (sequence === '\\\\' ? sequence : '\u{fffd}'))
    .replace(/[\u007f-\u009f]/g, '\u{fffd}');
}
