/** The events: sends what happens to every page that is open. */
import type { Events } from '../api.ts';

/** Where the events of one page go, each with its data as JSON. */
export type EventSink = { send(name: keyof Events, json: string): void; end(): void };

type Stream = { sink: EventSink; isClear: boolean };

export class EventHub {
  readonly #streams = new Set<Stream>();

  /** Whether a page is open. */
  get hasStreams(): boolean {
    return this.#streams.size > 0;
  }

  /**
   * Begins a stream with the overview. With `isClear` its messages are not masked. The returned function ends
   * it.
   */
  open(sink: EventSink, isClear: boolean, overview: Events['overview']): () => void {
    const stream = { sink, isClear };
    sink.send('overview', JSON.stringify(overview));
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  /** @param clear the same without masks, for streams that show secrets */
  publish<Name extends keyof Events>(
    name: Name,
    data: Events[Name],
    clear: () => Events[Name] = () => data,
  ): void {
    if (this.#streams.size === 0) return;
    const masked = JSON.stringify(data);
    let unmasked: string | undefined;
    for (const { sink, isClear } of this.#streams) {
      if (isClear) unmasked ??= JSON.stringify(clear());
      sink.send(name, isClear && unmasked !== undefined ? unmasked : masked);
    }
  }

  close(): void {
    for (const { sink } of this.#streams) sink.end();
  }
}
