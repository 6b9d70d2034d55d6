import { expect, test } from 'vitest';
import { AddressRefusedError } from '../../src/net/address-guard.ts';
import { openAppGuard } from '../../src/server/app-guard.ts';

const address = new URL('https://127.0.0.1:8443/docs.git');
const host = '127.0.0.1:8443';

test('a host counts as long as the App lives there', async () => {
  const { guard, nameHost } = openAppGuard({ allowHosts: [] });
  await expect(guard(address)).rejects.toThrow(AddressRefusedError);
  nameHost(host);
  await guard(address);
  nameHost(null);
  await expect(guard(address)).rejects.toThrow(AddressRefusedError);
});

test('an address is refused only after it was asked whether the App lives there by now', async () => {
  const app = openAppGuard({ allowHosts: [] });
  let asked = 0;
  app.onRefusal(async () => {
    asked += 1;
    if (asked === 2) app.nameHost(host);
  });
  await expect(app.guard(address)).rejects.toThrow(AddressRefusedError);
  await app.guard(address);
  await app.guard(address);
  expect(asked).toBe(2);
});
