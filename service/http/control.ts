/**
 * The control port of a party in harness mode. The harness moves the party's clock there. It listens on
 * loopback only.
 */

import type { Response } from 'express';
import { z } from 'zod';
import { type MovableClock, systemClock } from '#protocol/time/clock.ts';
import { type ProgramName, programName } from '../process/command-line/program-name.ts';
import { type Listening, listen } from './listener/listener.ts';
import { type AddRoutes, jsonErrors, lazyExpress } from './pages.ts';

const advance = z.object({
  advance: z
    .int()
    .min(-366 * 86_400_000)
    .max(366 * 86_400_000),
});

const NO_PAGES = 'Web pages may not use the control port. Please call it without an Origin header.';

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
      else response.status(403).json({ error: { reason: 'loopback_only', message: NO_PAGES } });
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

type Controlled = { controlRoutes: AddRoutes; stop(): Promise<void> };

/**
 * Open the control port of a server, where its settings name one. Stop the server when the port cannot be had.
 * @returns the function that stops both
 */
export async function withControl(
  server: Controlled,
  program: ProgramName,
  clock: MovableClock,
  port: number | undefined,
): Promise<() => Promise<void>> {
  if (port === undefined) return () => server.stop();
  try {
    const flag = `${programName(program)} --control-port`;
    const control = await openControl(clock, port, flag, server.controlRoutes);
    return async () => {
      await Promise.all([control.stop(), server.stop()]);
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Keeps the rows of a party, and clears them. The function that `keep` gives puts the kept rows back. */
type Snapshots = { keep(): Promise<() => Promise<void>>; clear(): Promise<void> };

const noSuchSnapshot = (response: Response) =>
  response.status(404).json({ error: { reason: 'not_found', message: 'There is no such snapshot.' } });

/**
 * `POST /snapshots` -> `{ id }`, `POST /snapshots/ID/restore` -> `{ restored: true }`, `DELETE /snapshots/ID`
 * -> `{ deleted: true }`, `POST /clear` -> `{ cleared: true }`. The rows stay in the party's memory and are
 * never sent. Nothing bounds their number: the caller is the console, which deletes them. A party on a
 * shared database has no snapshots: each route is 404.
 */
export function snapshotRoutes(snapshots: Snapshots | undefined): AddRoutes {
  const kept = new Map<number, () => Promise<void>>();
  let taken = 0;
  return (app) => {
    if (!snapshots) return;
    app.post('/snapshots', async (_request, response) => {
      const restore = await snapshots.keep();
      kept.set(++taken, restore);
      response.json({ id: taken });
    });
    app.post('/snapshots/:id/restore', async (request, response) => {
      const restore = kept.get(Number(request.params.id));
      if (!restore) return noSuchSnapshot(response);
      await restore();
      return response.json({ restored: true });
    });
    app.delete('/snapshots/:id', (request, response) => {
      const wasKept = kept.delete(Number(request.params.id));
      return wasKept ? response.json({ deleted: true }) : noSuchSnapshot(response);
    });
    app.post('/clear', async (_request, response) => {
      await snapshots.clear();
      response.json({ cleared: true });
    });
  };
}
