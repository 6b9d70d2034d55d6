import { once } from 'node:events';
import type { CommandIo, ExitCode } from '../command.ts';

import { createNarrator, type Narrator } from '../demo/narrator.ts';
import { describeTrouble, openStage, type Stage } from '../demo/open-stage.ts';
import { type Played, playStory } from '../demo/play-story.ts';
import { gitIn } from '../demo/run-git.ts';

/** `docloom demo`: the main use case on this machine, with a stand-in for GitHub. Exits with 0 only when everything came out as expected. */
export async function runDemo(options: { once: boolean }, io: CommandIo): Promise<ExitCode> {
  const narrator = createNarrator(io.stdout);
  narrator.say('Docloom shows its main job on this machine; a local forge stands in for GitHub.\n');
  await gitIn(io.cwd)('--version');
  const stage = await narrator.step('start the forge, the embedded database and docloom serve', () =>
    openStage({ signal: io.signal, ports: { docloom: 3000, forge: 3100 } }),
  );
  let ok = false;
  try {
    const played = await playStory(stage, narrator, io.signal);
    ok = played.outcome.ok;
    if (!options.once) await stayUp(stage, played, narrator, io.signal);
    narrator.say(JSON.stringify(played.outcome));
  } catch (error) {
    if (!io.signal.aborted) narrator.say(await describeTrouble(stage));
    throw error;
  } finally {
    await stage.close();
  }
  return ok ? 0 : 1;
}

async function stayUp(stage: Stage, played: Played, narrator: Narrator, signal: AbortSignal): Promise<void> {
  const { owner, repo } = played.repository;
  const { forge, url } = stage;
  const clone = played.cloneUrl.replace('://', `://${owner}:${played.userToken}@`);
  const addresses = [
    [`${forge.url}/${owner}/${repo}`, 'the repository on the forge, with its commits and checks'],
    [`${forge.url}/${owner}/${repo}/pull/${played.pullNumber}`, 'the pull request'],
    [played.reportUrl ?? url, 'the report of its failing check'],
    [played.outcome.site.url, 'the docs as a public site'],
    [url, 'what is live; sign in with this token:'],
  ] as const;
  const width = Math.max(...addresses.map(([address]) => address.length));
  narrator.say(`
It stays up. Open:
${addresses.map(([address, what]) => `  ${address.padEnd(width)}  ${what}`).join('\n')}
    ${played.platformToken}

Push a change of your own:
  git clone ${clone} my-docs
  cd my-docs && echo 'See [nothing](nothing.md).' >> guide/alerts.md
  git commit -am 'Add a link' && git push

And push a branch that breaks links; then open its pull request on the page of the repository:
  git switch -c remove-a-page && git rm guide/patterns.md
  git commit -m 'Remove a page' && git push -u origin remove-a-page

Its log is ${stage.logFile}. Ctrl+C stops it and removes its files.
`);
  if (!signal.aborted) await once(signal, 'abort');
}
