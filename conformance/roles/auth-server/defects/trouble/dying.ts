/** Servers that crash at one event. */
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

/** Thrown during a call: the server ends there. The self-test then stops it. */
export class ServerDies extends Error {
  override name = 'ServerDies';
  override message = 'The server ended here.';
}

/** Ends at the first reply of the EHR server that `isDeadly` matches. */
function diesAt(id: string, title: string, isDeadly: (response: Response, body: string) => boolean): Defect {
  return {
    id,
    title,
    caughtBy: 'server-survives',
    layer: 'watches',
    fetch: (send) => async (input, init) => {
      const response = await send(input, init);
      const body = await response
        .clone()
        .text()
        .catch(() => '');
      if (isDeadly(response, body)) throw new ServerDies();
      return response;
    },
  };
}

export const dyingDefects: readonly Defect[] = [
  diesAt('dies-at-gzip', 'A compressed reply ends the server', ({ headers }) => headers.has('content-encoding')),
  diesAt('dies-at-html', 'A reply that is a page of HTML ends the server', (_response, body) => body.startsWith('<')),
  onShape('challenge', 'dies-at-gzip', 'server-survives'),
  onShape('challenge', 'dies-at-wrong-code', 'server-survives'),
  onShape('carried-sign', 'dies-at-empty-code', 'server-survives'),
];
