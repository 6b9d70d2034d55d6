import { expect, test } from 'vitest';
import { createLog } from '../../src/server/log.ts';
import { openTerminalLog } from '../../src/server/terminal-log.ts';

function read(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const terminal = {
    write(part: string | Uint8Array): boolean {
      text += String(part);
      return true;
    },
  };
  write(createLog('info', openTerminalLog(terminal, { colours: false })));
  return text;
}

test('an entry is one line, with its time of day, level, message and fields', () => {
  const text = read((log) => log.warn({ repository: 'me/docs', port: 3000 }, 'A push waits.'));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: A push waits\. \{"repository":"me\/docs","port":3000\}\n$/);
});

test('an error has its lines', () => {
  const text = read((log) => log.error({ err: new Error('It broke.') }, 'page failed'));
  expect(text).toMatch(/ERROR: page failed *\n[\s\S]*It broke\.[\s\S]*terminal-log\.unit\.test/);
});

test('secrets are left out as they are everywhere', () => {
  expect(read((log) => log.info({ token: 'dl_secret' }, 'Made.'))).not.toContain('dl_secret');
});

test('no name from a repository controls the terminal', () => {
  const name = '\u001b[2Jevil\r\b\u009b31m\u007f \\u001b';
  const text = read((log) => log.info({ name }, `Branch ${name}`));
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(text).toContain('Branch \u{fffd}[2Jevil\u{fffd}\u{fffd}\u{fffd}31m\u{fffd} \\u001b');
});
