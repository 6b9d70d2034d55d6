import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, operations } from '../../src/client/index.ts';
import { findLiveToken } from '../../src/identity/index.ts';
import { createHttp } from '../../src/net/http.ts';
import { createToken } from '../../src/platform/index.ts';
import { deleteOwnSpace } from '../../src/server/delete-space.ts';
import { startPlatform, type TestPlatform } from '../platform/start-platform.ts';

let platform: TestPlatform;
const http = createHttp({ userAgent: 'docloom-test' });

beforeAll(async () => {
  platform = await startPlatform();
});

afterAll(async () => {
  await platform?.close();
  await http.close();
});

test('the server deletes a disconnected space, which the token of its App may not', async () => {
  const { db } = platform.deps;
  const spaceId = await platform.createSpace('Disconnected');
  const clientFor = (token: string) => createClient({ baseUrl: platform.url, token, http });
  const { token } = await createToken(db, { name: 'docloom serve', role: 'create' });
  const remove = clientFor(token).call(operations.deleteSpace, { params: { spaceId } });
  await expect(remove).rejects.toMatchObject({ status: 403 });

  const used: string[] = [];
  await deleteOwnSpace(
    db,
    (own) => {
      used.push(own);
      return clientFor(own);
    },
    spaceId,
  );
  await expect(platform.client.call(operations.getSpace, { params: { spaceId } })).rejects.toMatchObject({
    status: 404,
  });
  expect(used).toHaveLength(1);
  expect(await findLiveToken(db, used[0] ?? '')).toBeNull();
});
