/** The event stream: named events with JSON, connected again for as long as the page is open. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Events } from '../../api.ts';

export type AnyEvent = { [N in keyof Events]: { readonly name: N; readonly data: Events[N] } }[keyof Events];

/** The events of the browser, or what stands in their place. */
export type EventsSource = {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
};

/** Opens the events of an address. */
export type OpenEvents = (address: string) => EventsSource;

export type StreamOptions = {
  open: () => EventsSource;
  clock: Clock;
  onEvent: (event: AnyEvent) => void;
  onLost: () => void;
};

/** The browser gives up after an HTTP error, such as that of a server that is about to start. */
const RETRY_MS = 1_000;

const NAMES: readonly (keyof Events)[] = [
  'overview',
  'row',
  'verdict',
  'state',
  'clock',
  'faults',
  'text',
  'textTrouble',
  'scenario',
  'alarm',
  'reset',
];

/** Opens the stream. The returned function closes it. */
export function openStream({ open, clock, onEvent, onLost }: StreamOptions): () => void {
  let cancel: (() => void) | undefined;
  let source: EventsSource;
  const connect = () => {
    source = open();
    for (const name of NAMES)
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        onEvent({ name, data: JSON.parse(data) } as AnyEvent),
      );
    source.addEventListener('error', () => {
      onLost();
      if (source.readyState === EventSource.CLOSED) cancel = clock.after(RETRY_MS, connect);
    });
  };
  connect();
  return () => {
    cancel?.();
    source.close();
  };
}
