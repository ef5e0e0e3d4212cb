/**
 * The control port of a party in harness mode. The harness moves the party's clock there. It listens on
 * loopback only.
 */
import { z } from 'zod';
import type { MovableClock } from '#protocol/time/clock.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { type AddRoutes, lazyExpress } from '../lazy-express.ts';
import { type Listening, listen } from '../listener/listener.ts';
import { jsonErrors } from '../pages.ts';

const advance = z.object({
  advance: z
    .int()
    .min(-366 * 86_400_000)
    .max(366 * 86_400_000),
});

/**
 * Open the control port on 127.0.0.1: `GET /clock` -> `{ now }`, `POST /clock { advance: milliseconds }` ->
 * `{ now }`, and the party's own routes. Requests of web pages are refused. So are foreign hosts, as on every
 * loopback listener.
 */
export async function openControl(
  clock: MovableClock,
  port: number,
  portFlag: string,
  routes?: AddRoutes,
): Promise<Listening> {
  const fail = (error: unknown) => void process.stderr.write(`The control port failed: ${String(error)}\n`);
  const build: AddRoutes = (app, from) => {
    app.use((request, response, next) => {
      if (request.headers.origin === undefined) next();
      else response.status(403).json({ error: { reason: 'loopback_only' } });
    });
    app.get('/clock', (_request, response) => void response.json({ now: clock.now() }));
    app.post('/clock', from.json({ limit: '1kb' }), (request, response) => {
      const body = advance.safeParse(request.body);
      if (!body.success) {
        response
          .status(400)
          .json({ error: { reason: 'invalid', message: 'Send { "advance": milliseconds }.' } });
        return;
      }
      clock.advance(body.data.advance);
      response.json({ now: clock.now() });
    });
    routes?.(app, from);
    app.use((_request, response) => void response.status(404).json({ error: { reason: 'not_found' } }));
    app.use(jsonErrors(fail));
  };
  return listen(lazyExpress(build, fail), { host: '127.0.0.1', port, portFlag, clock: systemClock });
}
