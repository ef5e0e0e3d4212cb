/** Sends the events over HTTP, as server-sent events. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import type { EventSink } from './events.ts';

/** A comment is sent this often, so that no idle timeout ends a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

/** @param clock a clock that nobody moves */
export function eventStream(response: ServerResponse, clock: Clock): EventSink {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  let cancel: () => void;
  const keepAlive = () => {
    cancel = clock.after(KEEP_ALIVE_MS, () => {
      response.write(': still here\n\n');
      keepAlive();
    });
  };
  keepAlive();
  response.on('close', () => cancel());
  return {
    send: (name, json) => void response.write(`event: ${name}\ndata: ${json}\n\n`),
    end: () => void response.end(),
  };
}
