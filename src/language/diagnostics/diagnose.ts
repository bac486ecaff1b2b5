import type { PipelineNode, Span } from '../ast.ts';
import type { Diagnostic } from './diagnostic.ts';
import { foreignPhraseAt, foreignPhrases } from './foreign-phrases.ts';
import { offer } from './offer.ts';
import { problemsOf } from './problems.ts';
import { silentMistakes } from './silent-mistakes.ts';

/**
 * Finds what a valid query probably does not mean: phrases of other query languages, which only search for their words,
 * and values that are empty or wrong.
 */
export function diagnose(source: string, tree: PipelineNode): readonly Diagnostic[] {
  const found = [...foreignPhrases(source, tree), ...silentMistakes(tree, source)];
  return found.length === 0 ? found : found.map((one) => offer(source, one, found, problemsOf));
}

/**
 * Explains an error in a query by the phrase of another language around it.
 *
 * @param place where the error is
 */
export function explain(source: string, place: Span): Diagnostic | undefined {
  const phrase = foreignPhraseAt(source, place);
  return phrase && offer(source, phrase, [], problemsOf);
}
