import { webhookPath } from '../../content/render/index.ts';
import { escapeMarkdown } from '../../content/text/index.ts';
import {
  findSpec,
  listOperationNames,
  type OpenApiOperationName,
  type PageRow,
  specsOf,
} from '../../store/index.ts';
import type { Content } from '../content/locate-content.ts';
import type { PlatformDeps } from '../deps.ts';
import { maySeeSpec } from './require-spec.ts';

/** Operations that are written as blocks; further ones are listed. */
const MAX_BLOCKS = 50;
const MAX_LISTED = 2_000;

/** The specification that a page is computed from; null for a page with a text of its own. */
export function computedSpec(row: PageRow): string | null {
  if (row.type !== 'computed' || row.settings?.computed?.type !== 'builtin:openapi') return null;
  return specsOf(row)[0] ?? null;
}

/** A row with the dialect of its text: the text of a computed page uses the blocks of GitBook. */
export function asWritten(row: PageRow): PageRow {
  return computedSpec(row) === null ? row : { ...row, dialect: 'gitbook' };
}

/**
 * The text of a computed page: the operations of the latest version of its specification by tag, as blocks. A sentence
 * for a caller who may not read the specification.
 */
export async function writeComputed(
  { db }: PlatformDeps,
  { space, organizationRole }: Pick<Content, 'space' | 'organizationRole'>,
  row: PageRow,
): Promise<string> {
  const slug = computedSpec(row);
  const spec = slug === null ? null : await findSpec(db, space.organizationId, slug);
  if (!spec) return '';
  if (!maySeeSpec(spec, organizationRole))
    return `The API specification ${code(spec.slug)} is not public, so its operations are not shown here.\n`;
  const operations = await listOperationNames(db, spec.id, MAX_LISTED);
  const lines: string[] = [];
  let tag: string | null | undefined;
  const [webhooks, requests] = [operations.filter(isWebhook), operations.filter((one) => !isWebhook(one))];
  for (const [index, operation] of [...byTag(requests), ...webhooks].entries()) {
    if (operation === webhooks[0]) lines.push('', '## Webhooks');
    else if (operation.tag !== tag && !isWebhook(operation)) {
      tag = operation.tag;
      if (tag !== null) lines.push('', `## ${escapeMarkdown(tag)}`);
    }
    const { method, path, title } = operation;
    const isBlock = index < MAX_BLOCKS && !/["%{}\n]/.test(path.replaceAll(/\{[^{}%"]*\}/g, ''));
    if (isBlock) {
      lines.push('', `### ${escapeMarkdown(title)}`, '');
      const [block, named] = isWebhook(operation)
        ? ['openapi-webhook', `name="${webhookName(path)}"`]
        : ['openapi-operation', `path="${path}"`];
      lines.push(`{% ${block} spec="${spec.slug}" ${named} method="${method.toLowerCase()}" %}`);
      lines.push(`OpenAPI ${spec.slug}`, `{% end${block} %}`);
    } else lines.push('', `* ${code(`${method} ${webhookName(path)}`)} ${escapeMarkdown(title)}`);
  }
  return `${lines.join('\n').trim()}\n`;
}

const WEBHOOK = webhookPath('');

function isWebhook({ path }: OpenApiOperationName): boolean {
  return path.startsWith(WEBHOOK);
}

function webhookName(path: string): string {
  return path.startsWith(WEBHOOK) ? path.slice(WEBHOOK.length) : path;
}

/** Grouped by tag, the tags in the order of their first operation. */
function byTag(operations: readonly OpenApiOperationName[]): readonly OpenApiOperationName[] {
  return [...Map.groupBy(operations, ({ tag }) => tag).values()].flat();
}

function code(text: string): string {
  return `\`${text.replace(/[`\r\n]/g, ' ')}\``;
}
