import type { Queue, Schedule } from '../../queue/index.ts';
import { gatherJob, specJob, translateJob } from '../../sync/index.ts';

/** A schedule of a repository. */
export interface ListedSchedule extends Schedule {
  /** The kind of job. */
  readonly name: string;
  readonly repositoryId: number;
  /** What of the repository it is about: a specification's name, a space with a language; empty for all of it. */
  readonly part: string;
  readonly next: Date;
}

/** The schedules of all repositories, the next first. */
export async function listRepositorySchedules(queue: Queue): Promise<readonly ListedSchedule[]> {
  const kinds = [gatherJob, specJob, translateJob];
  const all = await Promise.all(
    kinds.map(async (job) =>
      (await queue.schedules(job)).map((schedule) => {
        const [id = '', name = ''] = schedule.key.split('/', 2);
        const part = job.name === translateJob.name ? readTranslation(name) : name;
        return { ...schedule, name: job.name, repositoryId: Number(id), part };
      }),
    ),
  );
  return all.flat().toSorted((a, b) => a.next.getTime() - b.next.getTime());
}

/** See `scheduleName`. */
function readTranslation(name: string): string {
  const [space = '', language = ''] = name.split('.', 2);
  const directory = Buffer.from(space, 'base64url').toString();
  return `${directory === '' ? '' : `${directory}/ `}in ${language}`;
}
