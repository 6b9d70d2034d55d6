import { readFile } from 'node:fs/promises';
import type { Stage } from './open-stage.ts';

const LINES = 12;

/** The last lines of a log file; empty when there is none. */
export async function lastLines(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-LINES).join('\n');
}

/** What a person needs to see why the story stopped: how the webhooks were answered, and the end of Docloom's log. */
export async function describeTrouble({ forge, logFile }: Stage): Promise<string> {
  const webhooks = forge.deliveries.map(({ event, action, attempts }) => {
    const answers = attempts.map((attempt) => `${attempt.statusCode} ${attempt.status}`).join(', ');
    return `  ${action === null ? event : `${event}.${action}`}: ${answers || 'not sent yet'}`;
  });
  return `Webhooks and their answers:\n${webhooks.join('\n')}\nThe end of Docloom's log:\n${await lastLines(logFile)}`;
}
