import { type Db, loadOrganization } from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Model } from './open-model.ts';
import { readGuidance } from './read-guidance.ts';

/** The model as it works for an organization. */
export interface GuidedModel {
  readonly model: Model;
  readonly organizationId: string;
  /** What the organization tells it; empty for nothing. */
  readonly guidance: string;
}

/** Whether a model is set up, and the organization has switched it on (`ai`). */
export async function isModelOn(
  { db, model }: { readonly db: Db } & Pick<PlatformDeps, 'model'>,
  organizationId: string,
): Promise<boolean> {
  if (model === undefined || model === null) return false;
  return (await loadOrganization(db, organizationId))?.ai === true;
}

/** The model that is set up; null where there is none, or where the organization has not switched it on (`ai`). */
export async function findModel(
  { db, model }: { readonly db: Db } & Pick<PlatformDeps, 'model'>,
  organizationId: string,
): Promise<GuidedModel | null> {
  if (model === undefined || model === null || !(await isModelOn({ db, model }, organizationId))) return null;
  return { model, organizationId, guidance: await readGuidance(db, organizationId) };
}
