/** Lets one run go on at a time: the files about two of them may name the same port. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Acts when those before have ended. Rejects where the signal aborts before that. */
  take<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return act();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when all that was begun has ended. */
  async over(): Promise<void> {
    await this.#last;
  }
}
