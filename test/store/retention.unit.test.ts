/** The documentation says of every table and folder how long what is in it is kept. */
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { MAX_IDLE_DAYS } from '../../src/git/evict-repositories.ts';
import { RETAINED_INSTRUCTIONS } from '../../src/store/agent-instructions.ts';
import { PAYLOAD_BYTES, RETENTION_DAYS } from '../../src/store/clean-up.ts';
import { DATA_FOLDERS } from '../../src/store/data-folders.ts';
import { RETAINED_VERSIONS } from '../../src/store/openapi.ts';
import { RETAINED_REVISIONS } from '../../src/store/remove-versions.ts';
import * as schema from '../../src/store/schema/index.ts';
import { SESSION_DAYS } from '../../src/store/sessions.ts';
import { REQUEST_HOURS } from '../../src/store/sign-in-requests.ts';
import { RESTORABLE_DAYS } from '../../src/store/space-kind.ts';
import { documentedRetention } from './documented-retention.ts';

const documented = documentedRetention();

test('each table of the database is documented once, and no other', () => {
  const tables = Object.values(schema).filter((value) => is(value, PgTable));
  expect(documented.tables.map(({ name }) => name).sort()).toEqual(tables.map(getTableName).sort());
});

test('the folders of DATA_DIR are documented', () => {
  const names = documented.folders.map(({ name }) => name);
  for (const folder of Object.values(DATA_FOLDERS)) expect(names).toContain(`DATA_DIR/${folder}`);
});

test.each([
  ['deliveries', `${RETENTION_DAYS.deliveries} days, failed ones ${RETENTION_DAYS.failedDeliveries};`],
  ['deliveries', `take ${PAYLOAD_BYTES / 1024 ** 2} MB together`],
  ['reports', `${RETENTION_DAYS.reports} days`],
  ['git_operations', `${RETENTION_DAYS.gitOperations} days`],
  ['api_tokens', `${RETENTION_DAYS.endedTokens} days`],
  ['sessions', `${SESSION_DAYS.absolute} days after signing in, or ${SESSION_DAYS.idle} without use`],
  ['sign_in_requests', `${REQUEST_HOURS} hour after`],
  ['invites', `${RETENTION_DAYS.endedInvites} days after`],
  ['mails', `${RETENTION_DAYS.mails} days`],
  ['audit_events', `${RETENTION_DAYS.auditEvents} days`],
  ['conversations', `${RETENTION_DAYS.conversations} days after`],
  ['agent_instructions', `the newest ${RETAINED_INSTRUCTIONS} versions`],
  ['notifications', `${RETENTION_DAYS.notifications} days`],
  ['pull_change_requests', `${RETENTION_DAYS.pullChangeRequests} days`],
  ['model_usage', `${RETENTION_DAYS.modelUsage} days`],
  ['change_requests', `archived ones ${RETENTION_DAYS.archivedChangeRequests} days`],
  ['change_requests', `merged ones ${RETENTION_DAYS.mergedChangeRequests} days`],
  ['site_visitor_keys', `${RETENTION_DAYS.replacedVisitorKeys} days after`],
  ['translation_memory', `${RETENTION_DAYS.unneededTranslations} days`],
  ['translation_memory', `what a person wrote ${RETENTION_DAYS.unneededCorrections} days`],
  ['github_answers', `${RETENTION_DAYS.deliveries} days`],
  ['spaces', `then ${RESTORABLE_DAYS} days`],
  ['revisions', `the newest ${RETAINED_REVISIONS.newest} and all of ${RETAINED_REVISIONS.days} days`],
  ['revisions', `change requests ${RETAINED_REVISIONS.standaloneDays} days`],
  ['openapi_versions', `the newest ${RETAINED_VERSIONS}`],
  ['DATA_DIR/git', `${MAX_IDLE_DAYS} days`],
])('%s: the documentation says what the code does: %s', (name, words) => {
  const row = [...documented.tables, ...documented.folders].find((found) => found.name === name);
  expect(row?.kept).toContain(words);
});
