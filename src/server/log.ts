import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type { Logger };

/** One JSON object a line on standard output. What could hold a secret is cut out, wherever it turns up. */
export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        '*.authorization',
        'headers.authorization',
        'req.headers.authorization',
        'req.headers.cookie',
        'token',
        '*.token',
        'password',
        '*.password',
        'credentials',
        '*.credentials',
      ],
      censor: '[kept secret]',
    },
  });
}
