/** The event stream: sends what happens to every page that is open. */
import type { ServerResponse } from 'node:http';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import type { Events } from '../api.ts';

type Stream = { response: ServerResponse; isClear: boolean };

/** A comment is sent this often, so that no idle timeout ends a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

export class EventHub {
  readonly #streams = new Set<Stream>();
  readonly #clock: Clock;
  #cancel: () => void = () => undefined;

  /** @param clock a clock that nobody moves */
  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#keepAlive();
  }

  /** Whether a page is open. */
  get hasStreams(): boolean {
    return this.#streams.size > 0;
  }

  /** Begins a stream with the overview. With `isClear` its messages are not masked. */
  open(response: ServerResponse, isClear: boolean, overview: Events['overview']): void {
    const stream = { response, isClear };
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.write(eventText('overview', overview));
    this.#streams.add(stream);
    response.on('close', () => this.#streams.delete(stream));
  }

  /** @param clear the same without masks, for streams that show secrets */
  publish<Name extends keyof Events>(
    name: Name,
    data: Events[Name],
    clear: () => Events[Name] = () => data,
  ): void {
    if (this.#streams.size === 0) return;
    const masked = eventText(name, data);
    let unmasked: string | undefined;
    for (const { response, isClear } of this.#streams) {
      if (isClear) unmasked ??= eventText(name, clear());
      response.write(isClear && unmasked !== undefined ? unmasked : masked);
    }
  }

  close(): void {
    this.#cancel();
    for (const { response } of this.#streams) response.end();
  }

  #keepAlive(): void {
    this.#cancel = this.#clock.after(KEEP_ALIVE_MS, () => {
      for (const { response } of this.#streams) response.write(': still here\n\n');
      this.#keepAlive();
    });
  }
}

function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
