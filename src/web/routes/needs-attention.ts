import type { VisibleRepository } from './load-visible-status.ts';

/** Whether something of a repository failed, is missing or is cut off, as far as the reader sees it. */
export function needsAttention(visible: VisibleRepository): boolean {
  const { repository, bindings, specifications, translations } = visible;
  return (
    repository.disconnected !== null ||
    repository.configError !== null ||
    repository.conversationsError !== null ||
    repository.mirrorError !== null ||
    (repository.site?.error ?? null) !== null ||
    repository.jobs.some(({ state }) => state === 'failed') ||
    bindings.some(
      ({ binding, operation }) =>
        binding.error !== null ||
        binding.disconnected !== null ||
        operation?.state === 'failure' ||
        (binding.exported?.error ?? null) !== null,
    ) ||
    specifications.some(
      ({ spec, live }) => spec.error !== null || (live?.lastProcessedErrors ?? []).length > 0,
    ) ||
    translations.some(({ translation, live }) => translation.error !== null || live?.error !== undefined)
  );
}
