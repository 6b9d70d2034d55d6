/** `npm run bench [name…]`: runs the benchmarks, each against a floor or a peer in the same run, and prints ratios. */
const benches: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  answers: () => import('./answers.ts'),
  capacity: () => import('./capacity.ts'),
  check: () => import('./check.ts'),
  comments: () => import('./comments.ts'),
  conversations: () => import('./conversations.ts'),
  dashboard: () => import('./dashboard.ts'),
  growth: () => import('./growth.ts'),
  hostile: () => import('./hostile.ts'),
  imports: () => import('./imports.ts'),
  paint: () => import('./paint.ts'),
  platform: () => import('./platform.ts'),
  simulate: () => import('./simulate.ts'),
  sites: () => import('./sites.ts'),
  stalls: () => import('./stalls.ts'),
  webhooks: () => import('./webhooks.ts'),
  workers: () => import('./workers.ts'),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${name}`);
  await (await load()).run();
}
