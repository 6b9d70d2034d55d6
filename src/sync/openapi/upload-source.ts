import {
  type InputOf,
  operations,
  type PlatformClient,
  PlatformError,
  waitForAnswer,
} from '../../client/index.ts';

export type SpecUpload = InputOf<typeof operations.putOpenAPISpec>['body']['source'];

/** What the platform reports after reading a specification. */
export interface UploadResult {
  /** Null while there never was a version. */
  readonly versionId: string | null;
  /** The first mistake with its position; null when there is none. */
  readonly error: string | null;
}

/** Below the job's own limit. */
const TIME_LIMIT_MS = 15 * 60_000;

/** Uploads the source of a specification, also an unchanged one, and waits until the platform has read it. */
export async function uploadSource(
  client: PlatformClient,
  params: { readonly organizationId: string; readonly specSlug: string },
  source: SpecUpload,
  signal: AbortSignal,
): Promise<UploadResult> {
  let spec = await client.call(operations.putOpenAPISpec, { params, body: { source } });
  if (spec.processingState !== 'complete') {
    const read = async () => {
      const seen = await client.call(operations.getOpenAPISpec, { params });
      return seen.processingState === 'complete' ? seen : null;
    };
    const overdue = () => new Error(`The platform did not read ${params.specSlug} within 15 minutes.`);
    spec = await waitForAnswer(read, { patienceMs: TIME_LIMIT_MS, overdue, signal });
  }
  const { lastProcessErrorCode: code, lastProcessedErrors: errors = [] } = spec;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return {
    versionId: spec.lastVersion ?? null,
    error: code === undefined ? null : `${errors[0]?.message ?? code}${more}`,
  };
}

/** Whether the organization has a specification of this slug. */
export async function hasSpec(
  client: PlatformClient,
  params: { readonly organizationId: string; readonly specSlug: string },
): Promise<boolean> {
  try {
    await client.call(operations.getOpenAPISpec, { params });
    return true;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return false;
    throw error;
  }
}
