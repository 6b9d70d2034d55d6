/** Texts that almost match what is redacted, about `length` times: a pattern that looks back would take quadratic time. */
export function hostileTexts(length: number): readonly string[] {
  return [
    'a@'.repeat(length),
    `${'1 '.repeat(length)}x`,
    'password: '.repeat(length / 5),
    'a.'.repeat(length),
    '-----BEGIN PRIVATE KEY-----'.repeat(length / 20),
    'eyJ'.repeat(length),
  ];
}
