import { type DestinationStream, type Logger, pino } from 'pino';
import { currentDelivery } from '../github/index.ts';
import type { LogLevel } from './config/index.ts';
import { currentRequest } from './current-request.ts';

export type { Logger };

/**
 * One JSON object a line on standard output. Lines of a webhook's work carry its `delivery`, those of a request `reqId`,
 * which is the same text where that work calls the platform. What could hold a secret is cut out, wherever it turns up.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      mixin: currentFields,
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
    },
    destination ?? pino.destination(1),
  );
}

/** The logger of a request says its id itself. */
function currentFields(_fields: object, _level: number, logger: Logger): object {
  const delivery = currentDelivery();
  const reqId = 'reqId' in logger.bindings() ? undefined : currentRequest();
  return { ...(delivery !== undefined && { delivery }), ...(reqId !== undefined && { reqId }) };
}
