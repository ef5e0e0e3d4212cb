/** Keeps the output of a server that runs in the kit's own process until somebody takes its lines. */
export class BufferedOutput {
  #early: string[] = [];
  #take = (line: string): void => void this.#early.push(line);

  readonly print = (line: string): void => this.#take(line);

  /** From now on passes each line on; first those that were written before. */
  readonly passTo = (take: (line: string) => void): void => {
    this.#take = take;
    for (const line of this.#early.splice(0)) take(line);
  };
}
