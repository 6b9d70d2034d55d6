import type { GitOperation } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { formatDuration, formatMessage, formatMoment, formatNumber } from '../format.ts';

const STAGES: Readonly<Record<NonNullable<GitOperation['stage']>, string>> = {
  repo_fetch: 'Fetching',
  config_check: 'Reading settings',
  content_process: 'Reading pages',
  finalize: 'Finishing',
};

/** The state of an operation, in one or two words. */
export function renderState(operation: GitOperation): Markup {
  const [tone, words] = describe(operation);
  return html`<span class="state ${tone}">${words}</span>`;
}

/** The newest sync of a space itself, without previews of pull requests. `operations`: newest first. */
export function latestSync(operations: readonly GitOperation[]): GitOperation | null {
  return operations.find(({ standalone }) => !standalone) ?? null;
}

/** The state of a space: that of its last sync, or that it is disconnected. */
export function renderLatest(last: GitOperation | null, disconnected: string | null): Markup | null {
  if (disconnected !== null) return html`<span class="state wait">Disconnected</span>`;
  if (last === null) return null;
  if (last.state === 'success') return html`<span class="state good">Up to date</span>`;
  if (last.state === 'failure') return html`<span class="state bad">Last ${last.direction} failed</span>`;
  return renderState(last);
}

function describe(operation: GitOperation): readonly [tone: 'good' | 'bad' | 'wait' | 'idle', words: string] {
  if (operation.state === 'failure') return ['bad', 'Failed'];
  if (operation.state === 'success') {
    if (operation.skipped) return ['idle', 'Not needed'];
    return operation.unchanged ? ['good', 'Unchanged'] : ['good', 'Done'];
  }
  if (operation.error) return ['wait', 'Trying again'];
  if (operation.startedAt === undefined) return ['wait', 'Waiting'];
  const stage = operation.stage ? STAGES[operation.stage] : 'Running';
  const { progress } = operation;
  return [
    'wait',
    progress && progress.total > 0 ? `${stage} (${progress.done} of ${progress.total})` : stage,
  ];
}

/** What went wrong, with the file and line; null when nothing did. */
export function renderReason({ error }: GitOperation): Markup | null {
  if (!error) return null;
  const position =
    error.path === undefined ? null : `${error.path}${error.line === undefined ? '' : `:${error.line}`}`;
  return html`${formatMessage(error.message)}${position === null ? null : html` <code>${position}</code>`}`;
}

/** What was lost of the content of a space, and what becomes of it. */
export function describeLost({ count, since, isDue }: NonNullable<GitOperation['lost']>, now: Date): Markup {
  const end = isDue
    ? 'they are fetched again from the repository'
    : 'the repository does not have all of them: restore the byte store from a backup, or upload them again';
  return html`The bytes of ${count === 1 ? '1 file' : `${formatNumber(count)} files`} are lost on this server since ${formatMoment(since, now)}; ${end}.`;
}

/** The duration of an operation; empty until it is complete. */
export function durationOf({ startedAt, endedAt }: GitOperation): string {
  if (startedAt === undefined || endedAt === undefined) return '';
  return formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}
