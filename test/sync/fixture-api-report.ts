import type { ApiChange, ApiReportSpec, CheckedApiReport } from '../../src/content/report/api-report.ts';

export function apiReport(specs: readonly ApiReportSpec[]): CheckedApiReport {
  const [headOid, baseOid] = ['a'.repeat(40), 'b'.repeat(40)];
  return {
    version: 1,
    about: 'api',
    state: 'checked',
    repository: 'acme/docs',
    pullNumber: 7,
    pullUrl: 'https://github.com/acme/docs/pull/7',
    headOid,
    baseOid,
    headBlobUrl: `https://github.com/acme/docs/blob/${headOid}/`,
    baseBlobUrl: `https://github.com/acme/docs/blob/${baseOid}/`,
    specs,
  };
}

export function apiChange(fields: Partial<ApiChange> = {}): ApiChange {
  return {
    breaking: true,
    message: 'The path /pets was removed.',
    was: '/pets',
    is: null,
    why: 'Who calls it gets an error.',
    place: { side: 'base', file: 'api/openapi.yaml', line: 4 },
    nearest: { file: 'api/openapi.yaml', line: 3 },
    ...fields,
  };
}

/** A specification in whose every text stands a name. */
export function apiSpec(name: string, changes: readonly ApiChange[] = []): ApiReportSpec {
  return {
    name,
    file: name,
    breakingChanges: 'fail',
    outcome: 'refused',
    note: name,
    problems: [{ file: name, line: 2, column: 1, message: name }],
    counts: { problems: 1, existing: 0, changes: changes.length, breaking: changes.length },
    changes: changes.map((one) => ({ ...one, message: name, was: name, is: name, why: name })),
  };
}
