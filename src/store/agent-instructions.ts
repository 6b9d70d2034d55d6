import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { newId } from './new-id.ts';
import { agentInstructions } from './schema/conversations.ts';
import { organizations } from './schema/platform.ts';

export type AgentInstructionsRow = typeof agentInstructions.$inferSelect;

/** How many versions of its instructions an organization has. */
export const RETAINED_INSTRUCTIONS = 100;

/** The instructions in force; null before anybody wrote any. */
export async function loadAgentInstructions(
  db: Db,
  organizationId: string,
): Promise<AgentInstructionsRow | null> {
  const [row] = await db
    .select()
    .from(agentInstructions)
    .where(eq(agentInstructions.organizationId, organizationId))
    .orderBy(desc(agentInstructions.version))
    .limit(1);
  return row ?? null;
}

/** Adds a version, unless it would say the same as the newest; `isNew` says which. Call it in a transaction. */
export async function addAgentInstructions(
  tx: Db,
  {
    organizationId,
    instructions,
    createdBy,
  }: Pick<AgentInstructionsRow, 'organizationId' | 'instructions' | 'createdBy'>,
): Promise<{ readonly row: AgentInstructionsRow; readonly isNew: boolean }> {
  // Two writers take turns, so that each version has a number of its own.
  await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('update');
  const newest = await loadAgentInstructions(tx, organizationId);
  if (newest !== null) {
    const [same] = await tx
      .select({ id: agentInstructions.id })
      .from(agentInstructions)
      .where(
        and(
          eq(agentInstructions.id, newest.id),
          sql`${agentInstructions.instructions} = ${JSON.stringify(instructions)}::jsonb`,
        ),
      );
    if (same !== undefined) return { row: newest, isNew: false };
  }
  const version = (newest?.version ?? 0) + 1;
  const [row] = await tx
    .insert(agentInstructions)
    .values({ id: newId(), organizationId, version, instructions, createdBy })
    .returning();
  await tx
    .delete(agentInstructions)
    .where(
      and(
        eq(agentInstructions.organizationId, organizationId),
        sql`${agentInstructions.version} <= ${version - RETAINED_INSTRUCTIONS}`,
      ),
    );
  return { row: row as AgentInstructionsRow, isNew: true };
}

/** The number of versions, and those before `before`, the newest first. */
export async function listAgentInstructions(
  db: Db,
  organizationId: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly AgentInstructionsRow[] }> {
  const matching = eq(agentInstructions.organizationId, organizationId);
  const total = await db.$count(agentInstructions, matching);
  const rows = await db
    .select()
    .from(agentInstructions)
    .where(and(matching, before === null ? undefined : lt(agentInstructions.version, before)))
    .orderBy(desc(agentInstructions.version))
    .limit(limit);
  return { count: total, rows };
}
