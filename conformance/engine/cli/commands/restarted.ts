/** Waits until a server was restarted: it refused connections, and accepts them again. */
import { connect } from 'node:net';
import type { Clock } from '#protocol/time/clock.ts';
import { pause } from '../../party/requests/pause.ts';

/** Pause (ms) between two looks. A restart that takes less may be missed. */
const POLL_MS = 100;

/** Limits a look (ms). A server that takes longer to accept a connection is not there. */
const MAX_CONNECT_MS = 1_000;

type Waiting = {
  clock: Clock;
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Called when the server is gone. */
  onGone: () => void;
};

/** Resolves when the server at this address was restarted, or when the signal is aborted. */
export async function restarted(address: string, { clock, signal, onGone }: Waiting): Promise<void> {
  const until = async (there: boolean) => {
    while (!signal.aborted && (await accepts(address, clock)) !== there) await pause(clock, POLL_MS, signal);
  };
  await until(false);
  if (signal.aborted) return;
  onGone();
  await until(true);
}

/** Whether something accepts connections at this address. The connection is closed at once. */
function accepts(address: string, clock: Clock): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const usual = protocol === 'https:' ? 443 : 80;
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: port === '' ? usual : Number(port) });
    const end = (there: boolean) => {
      cancel();
      socket.destroy();
      resolve(there);
    };
    const cancel = clock.after(MAX_CONNECT_MS, () => end(false));
    socket.once('connect', () => end(true)).on('error', () => end(false));
  });
}
