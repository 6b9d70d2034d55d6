import { indexText } from '../../content/search/index.ts';

/** More words say no more about what is asked. */
const MAX_WORDS = 24;

/**
 * Words with which people ask, in English: about what is asked, they say nothing. Those that the language leaves out of its
 * index anyway, such as “how”, are not listed.
 */
const ASKING: ReadonlySet<string> = new Set(
  `actually allowed anybody anyone anything available best docs documentation docloom else ever exactly explain find give
  got guide happen happens help hello hey hi instead know let like make makes many mean means much need needs one ok please possible properly
  question right someone something tell thank thanks thing things try trying understand use used uses using want wanted wants way
  ways without work works would`.split(/\s+/),
);

/** The different words of a question, folded, in order. */
export function questionWords(question: string): readonly string[] {
  const words = indexText(question.toWellFormed().replaceAll('\0', ' ')).split(' ');
  const all = [...new Set(words)].filter((word) => word !== '');
  const meaningful = all.filter((word) => !ASKING.has(word));
  return (meaningful.length > 0 ? meaningful : all).slice(0, MAX_WORDS);
}
