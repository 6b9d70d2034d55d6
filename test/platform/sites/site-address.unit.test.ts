import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressBelow,
  organizationLabel,
  organizationOf,
  servedAddress,
  siteAddress,
} from '../../../src/platform/sites/site-address.ts';

const site = {
  organizationId: 'kq3_Xo-9ZrTtqLw81mVb',
  organizationHostname: 'acme',
  basename: 'handbook',
  hostname: null,
  proxy: null,
};
const below = { publicUrl: 'https://loom.example', sitesUrl: null };
const wildcard = { publicUrl: 'https://loom.example', sitesUrl: 'https://*.docs.example:8443' };

describe('the address of a site', () => {
  test.each([
    ['below the public address', below, site, 'https://loom.example/s/acme/handbook/'],
    ['below a wildcard host', wildcard, site, 'https://acme.docs.example:8443/handbook/'],
    [
      'at a host of its own',
      wildcard,
      { ...site, hostname: 'docs.acme.example' },
      'https://docs.acme.example/',
    ],
    [
      'where a proxy shows it',
      wildcard,
      { ...site, hostname: 'docs.acme.example', proxy: 'acme.example/docs' },
      'https://acme.example/docs/',
    ],
    [
      'in an organization without a hostname',
      below,
      { ...site, organizationHostname: null },
      'https://loom.example/s/org-6b71335f586f2d395a725474714c7738316d5662/handbook/',
    ],
  ])('%s', (_where, serving, location, address) => {
    expect(siteAddress(serving, location)).toBe(address);
  });

  test('on this server stays the same, whatever else leads to it', () => {
    const moved = { ...site, hostname: 'docs.acme.example', proxy: 'acme.example/docs' };
    expect(servedAddress(wildcard, moved)).toBe('https://acme.docs.example:8443/handbook/');
  });

  test('is continued by paths, without those of defaults', () => {
    const address = siteAddress(below, site);
    expect(addressBelow(address, '', '')).toBe(address);
    expect(addressBelow(address, 'api', '', 'get started/first?')).toBe(
      `${address}api/get%20started/first%3F`,
    );
  });
});

test('an organization without a hostname is found by its label, which no hostname can be', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 15, maxLength: 15 }), (bytes) => {
      const id = Buffer.from(bytes).toString('base64url');
      const label = organizationLabel({ organizationId: id, organizationHostname: null });
      expect(organizationOf(label)).toEqual({ id });
      expect(label).toMatch(/^[a-z0-9-]{33,63}$/); // a hostname has 32 characters at most, a label of the DNS 63
    }),
  );
  expect(organizationOf('org-acme')).toEqual({ hostname: 'org-acme' });
});
