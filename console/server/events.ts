/** The events: sends what happens to every page that is open. */
import type { Events } from '../api.ts';

/** Where the events of one page go, each with its data as JSON. */
export type EventSink = { send(name: keyof Events, json: string): void; end(): void };

type Stream = { sink: EventSink; showsSecrets: boolean };

export class EventHub {
  readonly #streams = new Set<Stream>();

  /** Whether a page is open. */
  get hasStreams(): boolean {
    return this.#streams.size > 0;
  }

  /**
   * Begins a stream with the overview. With `showsSecrets` its messages are not masked.
   * @returns what ends the stream
   */
  open(sink: EventSink, showsSecrets: boolean, overview: Events['overview']): () => void {
    const stream = { sink, showsSecrets };
    sink.send('overview', JSON.stringify(overview));
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  /** @param unmasked the same without masks, for streams that show secrets */
  publish<Name extends keyof Events>(
    name: Name,
    data: Events[Name],
    unmasked: () => Events[Name] = () => data,
  ): void {
    if (this.#streams.size === 0) return;
    const masked = JSON.stringify(data);
    let clear: string | undefined;
    for (const { sink, showsSecrets } of this.#streams) {
      if (showsSecrets) clear ??= JSON.stringify(unmasked());
      sink.send(name, showsSecrets && clear !== undefined ? clear : masked);
    }
  }

  close(): void {
    for (const { sink } of this.#streams) sink.end();
  }
}
