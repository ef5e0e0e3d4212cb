/** Routes of a control port that keep the rows of a party's store and put them back. */
import type { Response } from 'express';
import type { AddRoutes } from '../lazy-express.ts';

/** What a party can keep. A party on a shared database has none. */
export type Snapshots = { keep(): Promise<() => Promise<void>>; clear(): Promise<void> };

const refuse = (response: Response) =>
  response.status(404).json({ error: { reason: 'not_found', message: 'There is no such snapshot.' } });

/**
 * `POST /snapshots` -> `{ id }`, `POST /snapshots/ID/restore` -> `{ restored: true }`, `DELETE /snapshots/ID`
 * -> `{ deleted: true }`, `POST /clear` -> `{ cleared: true }`. The rows stay in the party's memory: none is
 * sent. Without snapshots all of them are 404.
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
      if (!restore) return refuse(response);
      await restore();
      return response.json({ restored: true });
    });
    app.delete('/snapshots/:id', (request, response) => {
      const wasKept = kept.delete(Number(request.params.id));
      return wasKept ? response.json({ deleted: true }) : refuse(response);
    });
    app.post('/clear', async (_request, response) => {
      await snapshots.clear();
      response.json({ cleared: true });
    });
  };
}
