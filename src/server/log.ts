import { type DestinationStream, type Logger, pino } from 'pino';
import { currentDelivery } from '../github/index.ts';
import type { LogLevel } from './config/index.ts';
import { currentRequest } from './current-request.ts';

export type { Logger };

/**
 * Logs one JSON object per line, to standard output by default. Lines about a webhook have its `delivery`, those about a
 * request its `reqId`, which has the same value when the work of a webhook calls the platform. Fields that could contain
 * secrets are redacted.
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

function currentFields(): object {
  const delivery = currentDelivery();
  const reqId = currentRequest()?.requestId;
  return { ...(delivery !== undefined && { delivery }), ...(reqId !== undefined && { reqId }) };
}
