import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createHttp } from '../../net/index.ts';
import { createObjectStore, type Database, type ObjectStoreSettings, openBlobs } from '../../store/index.ts';
import { type Diagnosis, diagnosesOf } from './diagnosis.ts';

/** Checks the object store of BLOBS_URL: whether it belongs to this database, and whether bytes can be written, read and deleted. */
export async function checkObjects({
  objects,
  dataDir,
  db,
}: {
  readonly objects: ObjectStoreSettings;
  readonly dataDir: string;
  readonly db: Database;
}): Promise<Diagnosis> {
  const check = diagnosesOf('object store');
  const http = createHttp({ userAgent: 'docloom doctor', timeouts: { connectMs: 5_000, headersMs: 10_000 } });
  const fix = 'docs/operation.md, “Several processes”, has the settings and the rights of its keys.';
  const name = `s3://${objects.bucket}/${objects.prefix}`;
  try {
    const blobs = await openBlobs({ dataDir, settings: { objects, cacheBytes: 1 }, db, http });
    const trouble = await blobs.findTrouble();
    if (trouble !== null) return check.fail(trouble, fix);
    const store = createObjectStore(objects, http);
    const key = `doctor-${randomBytes(8).toString('hex')}`;
    const bytes = randomBytes(64);
    await store.put(key, bytes);
    const body = await store.get(key);
    const isSame = body !== null && bytes.equals(await buffer(body));
    await store.delete(key);
    if (!isSame) return check.fail(`${name} does not answer what was written a moment before.`, fix);
    if ((await store.head(key)) !== null)
      return check.fail(`${name} does not delete what it is told to.`, fix);
    return check.ok(`${name} belongs to this database; objects can be written, read and deleted.`);
  } catch (error) {
    return check.fail((error as Error).message, fix);
  } finally {
    await http.close();
  }
}
