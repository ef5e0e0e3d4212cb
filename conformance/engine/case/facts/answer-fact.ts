/** Makes facts that the answer to one call shows. */
import type { Fact } from '../fact.ts';

/** What such a fact says. It can be compared between unlike interfaces unless it says otherwise. */
type Saying = Pick<Fact, 'rank' | 'text'> & { id: string; isPortable?: boolean };

/**
 * Makes a fact about the answer to the call of this key.
 * @param test the condition, as an expression over the variable of the answer
 * @param seen the expression of what is there instead; the whole answer unless given
 */
export const answerFact =
  (key: string) =>
  (
    { id, rank, text, isPortable = true }: Saying,
    test: (answer: string) => string,
    seen: (answer: string) => string = (answer) => answer,
  ): Fact => ({
    ...{ id: `${key} ${id}`, key, rank, isPortable, text },
    write(writer) {
      const answer = writer.answer(key);
      return answer === undefined ? undefined : { test: test(answer), seen: seen(answer) };
    },
  });
