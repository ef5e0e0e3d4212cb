/** Harmless variants of the EHR server that answer slowly, in parts, or one call after another. */
import type { RequestListener } from 'node:http';
import type { EhrChange } from '../../self-test/serve.ts';

/** Serve the calls one after another, on both channels: each waits for the answer to the one before it. */
export function requestsInTurn(): EhrChange {
  let last: Promise<unknown> = Promise.resolve();
  return {
    http: (listener) => (request, response) => {
      const answered = new Promise((resolve) => response.once('close', resolve));
      last = last.then(() => {
        listener(request, response);
        return answered;
      });
    },
  };
}

/** Send each body in two parts, with a pause between them. */
export const inTwoParts: EhrChange = {
  http:
    (listener): RequestListener =>
    (request, response) => {
      const end = response.end.bind(response);
      const halved = (chunk?: unknown) => {
        if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return end();
        const bytes = Buffer.from(chunk as string);
        response.write(bytes.subarray(0, bytes.length / 2));
        setImmediate(() => end(bytes.subarray(bytes.length / 2)));
        return response;
      };
      Object.assign(response, { end: halved });
      listener(request, response);
    },
};
