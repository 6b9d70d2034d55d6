import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { webhookPath } from '../../content/render/index.ts';
import {
  bundleSpec,
  compareSpecs,
  describeOperation,
  describeWebhook,
  locateByAddress,
  locateByPath,
  type ReadFile,
  type ReadSpec,
  readApi,
  readSpec,
  type SpecComparison,
  type SpecDocument,
  type SpecProblem,
  writeCanonical,
} from '../../openapi/index.ts';
import {
  parseDocument,
  parseVersionFiles,
  type VersionContent,
  type VersionFiles,
} from './version-content.ts';

/** The specification to process. Plain data, as it is posted to a thread. */
export type SpecTask = GivenSpec | StoredSpec;

export interface GivenSpec {
  /** The main file: a path, or an address. */
  readonly entry: string;
  readonly byAddress: boolean;
  /** The previous version with its digest; null for the first. */
  readonly previous: (VersionContent & { readonly digest: string }) | null;
}

/** A version that is processed again. */
export interface StoredSpec {
  /** Its files, as they are stored; no others are read. */
  readonly stored: Uint8Array;
}

export type SpecOutcome =
  | { readonly kind: 'refused'; readonly problems: readonly SpecProblem[] }
  /** It has the same meaning as the previous version. */
  | { readonly kind: 'same'; readonly fileCount: number }
  | {
      readonly kind: 'new';
      readonly fileCount: number;
      readonly digest: string;
      readonly title: string;
      /** Compressed JSON; see the tables of `openapi.ts`. */
      readonly content: Uint8Array;
      readonly document: Uint8Array | null;
      readonly changes: SpecComparison | null;
      readonly operations: readonly ProcessedOperation[];
    };

export interface ProcessedOperation {
  readonly method: string;
  readonly path: string;
  readonly tag: string | null;
  readonly title: string;
  readonly isDeprecated: boolean;
  readonly view: Uint8Array;
}

/** Operations beyond this number are in the document, but on no page. */
const MAX_OPERATIONS = 10_000;

/** Reads a specification and derives everything that is stored of it. May need seconds of CPU time and much memory. */
export async function processSpec(task: SpecTask, read: ReadFile): Promise<SpecOutcome> {
  return 'stored' in task ? await processStored(task, read) : await processGiven(task, read);
}

async function processStored({ stored }: StoredSpec, read: ReadFile): Promise<SpecOutcome> {
  const { entrypoint, files } = parseVersionFiles({ content: stored });
  return await processGiven(
    { entry: entrypoint, byAddress: /^https?:/.test(entrypoint), previous: null },
    async (file) => (Object.hasOwn(files, file) ? { text: JSON.stringify(files[file]) } : await read(file)),
  );
}

async function processGiven(task: GivenSpec, read: ReadFile): Promise<SpecOutcome> {
  const locate = task.byAddress ? locateByAddress : locateByPath;
  const { spec, problems } = await readSpec({ entry: task.entry, locate, read });
  if (!spec) return { kind: 'refused', problems };
  const fileCount = spec.files.size;
  // Bundling changes the files, so they are packed first.
  const files = fileCount === 1 ? null : pack(filesystemOf(spec));
  const document = bundleSpec(spec);
  const digest = digestOf(document);
  if (digest === task.previous?.digest) return { kind: 'same', fileCount };
  const { api, resolve } = readApi(document);
  const previous = task.previous && parseDocument(task.previous);
  return {
    kind: 'new',
    fileCount,
    digest,
    title: api.title.slice(0, 500),
    content: files ?? pack(filesystemOf(spec)),
    document: fileCount === 1 ? null : pack(document),
    changes: previous && compareSpecs(previous, document),
    operations: [
      ...api.operations.map((operation) => ({
        operation,
        path: operation.path,
        describe: describeOperation,
      })),
      ...api.webhooks.map((operation) => ({
        operation,
        path: webhookPath(operation.path),
        describe: describeWebhook,
      })),
    ]
      .slice(0, MAX_OPERATIONS)
      .map(({ operation, path, describe }) => ({
        method: operation.method,
        path,
        tag: operation.tags[0] ?? null,
        title: describeTitle(operation),
        isDeprecated: operation.isDeprecated,
        view: pack(describe(operation, api, resolve)),
      })),
  };
}

function describeTitle({
  summary,
  id,
  method,
  path,
}: {
  summary: string;
  id: string | null;
  method: string;
  path: string;
}): string {
  return (summary || id || `${method} ${path}`).slice(0, 500);
}

function filesystemOf({ entry, files }: ReadSpec): VersionFiles {
  return {
    entrypoint: entry,
    files: Object.fromEntries([...files].map(([file, { value }]) => [file, value])),
  };
}

function digestOf(document: SpecDocument): string {
  const hash = createHash('sha256');
  let pending = '';
  writeCanonical(document, (text) => {
    pending += text;
    if (pending.length < 65_536) return;
    hash.update(pending);
    pending = '';
  });
  return hash.update(pending).digest('base64url');
}

function pack(value: unknown): Buffer {
  return gzipSync(JSON.stringify(value));
}
