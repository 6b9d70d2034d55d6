import { expect, test } from 'vitest';
import { apiAddress, webAddress } from '../../../src/github/api/github-address.ts';

test.each([
  [null, 'https', 'https://github.com', 'https://api.github.com'],
  ['octo.ghe.com', 'https', 'https://octo.ghe.com', 'https://api.octo.ghe.com'],
  ['Octo-1.GHE.com', 'https', 'https://Octo-1.GHE.com', 'https://api.Octo-1.GHE.com'],
  ['git.example', 'https', 'https://git.example', 'https://git.example/api/v3'],
  ['127.0.0.1:3000', 'http', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/v3'],
  ['octo.ghe.com.example', 'https', 'https://octo.ghe.com.example', 'https://octo.ghe.com.example/api/v3'],
] as const)('%s over %s', (host, protocol, web, api) => {
  expect(webAddress({ host, protocol })).toBe(web);
  expect(apiAddress({ host, protocol })).toBe(api);
});
