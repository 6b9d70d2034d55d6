import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressRefusedError, createAddressGuard } from '../../src/net/address-guard.ts';
import { classifyAddress } from '../../src/net/address-range.ts';

describe('judgeAddress', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['2606:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['2002:808:808::1', 'public'],
    ['127.0.0.1', 'private'],
    ['127.255.255.254', 'private'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['::1', 'private'],
    ['fc00::1', 'private'],
    ['fdff:ffff::1', 'private'],
    ['::ffff:127.0.0.1', 'private'],
    ['::ffff:7f00:1', 'private'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['2002:7f00:1::', 'private'],
    ['2002:c0a8:101::', 'private'],
    ['0.0.0.0', 'forbidden'],
    ['0.1.2.3', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['240.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['192.0.2.1', 'forbidden'],
    ['198.51.100.7', 'forbidden'],
    ['203.0.113.9', 'forbidden'],
    ['198.18.0.1', 'forbidden'],
    ['192.0.0.8', 'forbidden'],
    ['168.63.129.15', 'public'],
    ['168.63.129.16', 'forbidden'],
    ['::ffff:168.63.129.16', 'forbidden'],
    ['::', 'forbidden'],
    ['::7f00:1', 'forbidden'],
    ['::ffff:0:127.0.0.1', 'forbidden'],
    ['64:ff9b:1::7f00:1', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fec0::1', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    ['2001::1', 'forbidden'],
    ['100::1', 'forbidden'],
    ['4000::1', 'forbidden'],
  ])('%s is %s', (address, range) => {
    expect(classifyAddress(address)).toBe(range);
  });
});

describe('createAddressGuard', () => {
  it.each([
    ['https://127.0.0.1/'],
    ['https://2130706433/'],
    ['https://0x7f.1/'],
    ['https://0177.0.0.1/'],
    ['https://127.1/'],
    ['https://127.0.0.1./'],
    ['https://①②⑦.0.0.1/'],
    ['https://[::1]/'],
    ['https://[::ffff:7f00:1]/'],
    ['https://[64:ff9b::a00:1]/'],
    ['https://169.254.169.254/latest/meta-data/'],
    ['https://localhost/'],
  ])('refuses %s', async (url) => {
    await expect(createAddressGuard()(new URL(url))).rejects.toMatchObject({
      name: 'AddressRefusedError',
      reason: 'range',
    });
  });

  it('pins a public address', async () => {
    expect(await createAddressGuard()(new URL('https://8.8.8.8/x'))).toEqual({
      address: '8.8.8.8',
      family: 4,
    });
  });

  it('refuses a name when any of its addresses is private', async () => {
    const guard = createAddressGuard({
      lookup: async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    });
    await expect(guard(new URL('https://rebind.test/'))).rejects.toThrow(
      /rebind\.test is in a private network/,
    );
  });

  it('names no resolved address in its message', async () => {
    const guard = createAddressGuard({ lookup: async () => [{ address: '10.1.2.3', family: 4 }] });
    await expect(guard(new URL('https://inside.test/'))).rejects.not.toThrow(/10\.1\.2\.3/);
  });

  it('reports a name that cannot be resolved', async () => {
    const guard = createAddressGuard({
      lookup: async () => {
        throw new Error('ENOTFOUND');
      },
    });
    await expect(guard(new URL('https://nowhere.test/'))).rejects.toMatchObject({ reason: 'unresolved' });
    const empty = createAddressGuard({ lookup: async () => [] });
    await expect(empty(new URL('https://nowhere.test/'))).rejects.toMatchObject({ reason: 'unresolved' });
  });

  it.each(['-', '+'])('refuses a name that begins with %s, which git would look up again', async (sign) => {
    const lookup = async () => [{ address: '8.8.8.8', family: 4 }] as const;
    const guard = createAddressGuard({ lookup });
    await expect(guard(new URL(`https://${sign}rebind.test/`))).rejects.toMatchObject({
      reason: 'unresolved',
    });
    await expect(guard(new URL(`https://re${sign}bind.test/`))).resolves.toMatchObject({
      address: '8.8.8.8',
    });
  });

  const toPublic = async () => [{ address: '8.8.8.8', family: 4 }] as const;
  const toPrivate = async () => [{ address: '192.168.0.7', family: 4 }] as const;
  const toMetadata = async () => [{ address: '169.254.169.254', family: 4 }] as const;
  it.each([
    ['ftp://git.test/', {}, toPublic, 'scheme'],
    ['file:///etc/passwd', {}, toPublic, 'scheme'],
    ['http://git.test/', {}, toPublic, 'scheme'],
    ['http://git.test/', { allowHttpHosts: ['git.test'] }, toPublic, null],
    ['http://git.test/', { allowHttpHosts: ['git.test'] }, toPrivate, 'range'],
    ['http://git.test/', { allowHosts: ['git.test'] }, toPrivate, null],
    ['http://git.test/', { allowHosts: ['GIT.test:80'] }, toPrivate, null],
    ['https://git.test/', { allowHosts: ['git.test:443'] }, toPrivate, null],
    ['http://git.test:8080/', { allowHosts: ['git.test:80'] }, toPrivate, 'scheme'],
    ['https://git.test:8443/', { allowHosts: ['git.test:443'] }, toPrivate, 'range'],
    ['https://git.test/', { allowHosts: ['git.test'] }, toMetadata, null],
    ['http://git.test/', { allowPrivate: true }, toPrivate, null],
    ['https://git.test/', { allowPrivate: true }, toPrivate, null],
    ['http://git.test/', { allowPrivate: true }, toPublic, 'scheme'],
    ['https://git.test/', { allowPrivate: true }, toMetadata, 'range'],
  ])('%s with %j', async (url, options, lookup, reason) => {
    const answer = createAddressGuard({ ...options, lookup })(new URL(url));
    if (reason === null) await expect(answer).resolves.toHaveProperty('family', 4);
    else await expect(answer).rejects.toMatchObject({ reason });
  });

  it('either pins a public address or refuses, for any IP address', async () => {
    const guard = createAddressGuard();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.ipV4Extended(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        async (host) => {
          const url = URL.parse(`https://${host}/`);
          fc.pre(url !== null);
          try {
            const { address } = await guard(url);
            expect(classifyAddress(address)).toBe('public');
          } catch (error) {
            expect(error).toBeInstanceOf(AddressRefusedError);
          }
        },
      ),
    );
  });
});
