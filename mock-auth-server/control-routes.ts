/** Control routes for the harness: list sessions and entries, and remove an entry to cause `user_unknown`. */

import { snapshotRoutes } from '#service/http/control.ts';
import type { AddRoutes } from '#service/http/pages.ts';
import { type Correspondence, listSessions } from './control-lists.ts';
import type { Store } from './store/store.ts';

/** `GET /sessions`, `GET /correspondence`, `DELETE /correspondence/USER`, and the routes of snapshots. */
export function controlRoutes(
  correspondence: Correspondence,
  { sessions, rows }: Pick<Store, 'sessions' | 'rows'>,
): AddRoutes {
  const snapshots = snapshotRoutes({
    async keep() {
      const restore = rows.keep();
      return async () => restore();
    },
    clear: async () => rows.clear(),
  });
  return (app, from) => {
    snapshots(app, from);
    app.get('/sessions', (_request, response) => void response.json(listSessions(sessions)));
    app.get('/correspondence', (_request, response) => void response.json(correspondence.list()));
    app.delete('/correspondence/:user', (request, response) => {
      if (correspondence.remove(request.params.user)) response.json({ removed: true });
      else
        response
          .status(404)
          .json({ error: { reason: 'not_found', message: 'The correspondence table has no such entry.' } });
    });
  };
}
