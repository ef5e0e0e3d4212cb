/** Closing a connection on which requests wait that nobody will answer. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Node makes an error for every request that a connection leaves unanswered at its close. Where a hundred
 * wait in line their stack traces would take the time of all other callers, so they are made without. Call it
 * once for a connection, when its HTTP listeners are there: what comes between ours is node's.
 * @param letGo takes out the requests that wait
 */
export function closeQuietly(socket: Socket, letGo: () => readonly IncomingMessage[]): void {
  let { stackTraceLimit } = Error;
  socket.prependListener('close', () => {
    ({ stackTraceLimit } = Error);
    Error.stackTraceLimit = 0;
    for (const request of letGo()) request.destroy();
  });
  socket.on('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}
