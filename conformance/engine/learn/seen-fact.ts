/** What a recording shows of a party, with the evidence, as a file about the party tells it. */

/** Something that a recording shows, and how, in words without any secret. */
export type SeenFact<T> = { readonly value: T; readonly because: string };

/** The comment line beside a value that was guessed; '' where the user gave another value. */
export function evidenceOf<T>(value: T, guess: SeenFact<T> | undefined, indent = ''): string {
  return guess?.value === value ? `${indent}# Guessed: ${guess.because}.\n` : '';
}
