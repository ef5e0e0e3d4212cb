/** The event stream: named events with JSON, connected again for as long as the page is open. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Events } from '../../api.ts';

export type AnyEvent = { [N in keyof Events]: { readonly name: N; readonly data: Events[N] } }[keyof Events];

export type StreamOptions = {
  address: string;
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
export function openStream({ address, clock, onEvent, onLost }: StreamOptions): () => void {
  let cancel: (() => void) | undefined;
  let source: EventSource;
  const connect = () => {
    source = new EventSource(address);
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
