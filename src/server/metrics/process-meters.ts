import type { Queue } from '../../queue/index.ts';
import { openCounter, openHistogram } from './meters.ts';

/** The counters and histograms of this process. */
export function openProcessMeters() {
  const jobs = openHistogram('docloom_job_duration_seconds', 'How long runs of jobs took in this process.');
  const operations = openHistogram(
    'docloom_git_operation_duration_seconds',
    'How long runs of imports and exports took in this process.',
  );
  const answers = openCounter(
    'docloom_github_requests_total',
    'Requests to GitHub of this process by the status of the answer.',
  );
  const deliveries = openCounter(
    'docloom_webhook_requests_total',
    'Webhook requests to this process by event and status of the answer.',
  );
  const replicaReads = openCounter(
    'docloom_replica_reads_total',
    'Reads of published pages and searches that a replica may answer, by the server that did.',
  );
  return {
    deliveries,
    replicaRead: (from: 'replica' | 'primary') => replicaReads.add({ from }),
    answered: (status: number | null) => answers.add({ status: status ?? 'none' }),
    operation: (run: { readonly direction: string; readonly outcome: string; readonly seconds: number }) =>
      operations.observe({ direction: run.direction, outcome: run.outcome }, run.seconds),
    /** Wraps a queue so that the runs of its handlers are measured. */
    measure: (queue: Queue): Queue => ({
      ...queue,
      work: (job, handler) =>
        queue.work(job, async (payload, context) => {
          const started = performance.now();
          let outcome = 'failure';
          try {
            await handler(payload, context);
            outcome = 'success';
          } finally {
            jobs.observe({ queue: job.name, outcome }, (performance.now() - started) / 1000);
          }
        }),
    }),
    collect: () => [jobs, operations, answers, deliveries, replicaReads].map((meter) => meter.collect()),
  };
}

export type ProcessMeters = ReturnType<typeof openProcessMeters>;
