import type { ScheduledExport, SchedulerResults } from '../../src/web/index.ts';

export function exported(parts: Partial<ScheduledExport> = {}): ScheduledExport {
  return {
    outcome: 'pushed',
    branch: 'main',
    pull: null,
    commit: {
      oid: '1f2e3d4c5b6a79880011223344556677889900aa',
      url: 'https://forge.example/acme/lantern/commit/1f2e3d4c5b6a79880011223344556677889900aa',
    },
    error: null,
    paths: [],
    at: '2026-03-01T11:57:00.000Z',
    ...parts,
  };
}

/** A space with something of every kind to tell. */
export const sampleScheduled: SchedulerResults = {
  exported: exported({
    outcome: 'proposed',
    pull: { number: 17, url: 'https://forge.example/acme/lantern/pull/17' },
    error: 'Both sides changed the same files; somebody has to choose.',
    paths: ['guide/alerts.md', 'guide/<b>.md'],
  }),
  externalLinks: {
    counts: { dead: 1, failing: 1, redirected: 1, restricted: 4, ok: 1_204, new: 2 },
    next: '2026-03-02T03:20:00.000Z',
    findings: [
      {
        url: 'https://lamps.example/models/<1978>?long=a-very-long-address-that-nobody-would-type-by-hand',
        state: 'dead',
        detail: 'https://lamps.example/models answers 404.',
        target: null,
        missing: [],
        since: '2026-02-20T03:00:00.000Z',
        uses: Array.from({ length: 7 }, (_, index) => ({ path: 'guide/alerts.md', line: index + 3 })),
      },
      {
        url: 'https://down.example/',
        state: 'failing',
        detail: 'down.example has no address.',
        target: null,
        missing: [],
        since: '2026-03-01T03:00:00.000Z',
        uses: [{ path: 'guide/patterns.md', line: 9 }],
      },
      {
        url: 'https://old.example/manual',
        state: 'redirected',
        detail: 'It moved for good to https://new.example/manual.',
        target: 'https://new.example/manual',
        missing: ['wicks'],
        since: '2026-02-27T03:00:00.000Z',
        uses: [{ path: 'guide/first-watch.md', line: 20 }],
      },
    ],
  },
};
