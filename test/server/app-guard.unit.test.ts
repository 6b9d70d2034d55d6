import { expect, test } from 'vitest';
import { AddressRefusedError } from '../../src/net/address-guard.ts';
import { openAppGuard } from '../../src/server/app-guard.ts';

const address = new URL('https://127.0.0.1:8443/docs.git');
const host = '127.0.0.1:8443';

test('a host is allowed as long as it is that of the App', async () => {
  const { guard, allowHost } = openAppGuard({ allowHosts: [] });
  await expect(guard(address)).rejects.toThrow(AddressRefusedError);
  allowHost(host);
  await guard(address);
  allowHost(null);
  await expect(guard(address)).rejects.toThrow(AddressRefusedError);
});

test('an address is refused only after the App’s current host was loaded', async () => {
  const app = openAppGuard({ allowHosts: [] });
  let asked = 0;
  app.beforeRefusal(async () => {
    asked += 1;
    if (asked === 2) app.allowHost(host);
  });
  await expect(app.guard(address)).rejects.toThrow(AddressRefusedError);
  await app.guard(address);
  await app.guard(address);
  expect(asked).toBe(2);
});
