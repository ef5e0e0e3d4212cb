/** Routes of a control port that keep the rows of a party's store and put them back. */
import type { AddRoutes } from '../lazy-express.ts';

/** What a party can keep. A party on a shared database has none. */
export type Snapshots = { keep(): Promise<() => Promise<void>>; clear(): Promise<void> };

/**
 * `POST /snapshots` -> `{ id }`, `POST /snapshots/ID/restore` -> `{ restored: true }`, `POST /clear` -> `{
 * cleared: true }`. The rows stay in the party's memory: none is sent. Without snapshots all of them are 404.
 */
export function snapshotRoutes(snapshots: Snapshots | undefined): AddRoutes {
  const kept: (() => Promise<void>)[] = [];
  return (app) => {
    if (!snapshots) return;
    app.post('/snapshots', async (_request, response) => {
      kept.push(await snapshots.keep());
      response.json({ id: kept.length });
    });
    app.post('/snapshots/:id/restore', async (request, response) => {
      const restore = kept[Number(request.params.id) - 1];
      if (!restore) {
        response.status(404).json({ error: { reason: 'not_found', message: 'There is no such snapshot.' } });
        return;
      }
      await restore();
      response.json({ restored: true });
    });
    app.post('/clear', async (_request, response) => {
      await snapshots.clear();
      response.json({ cleared: true });
    });
  };
}
