/** Control routes for the harness: list the correspondence table, and remove entries to cause that error. */
import type { AddRoutes } from '#service/http/lazy-express.ts';
import type { Correspondence } from './ehr/correspondence.ts';

/**
 * `GET /correspondence` -> `[{ user, attribute, internalId, userSignOnRecord }]`, and
 * `DELETE /correspondence/:user` (public user id, phone or e-mail address) -> `{ removed: true }`, or 404.
 */
export function controlRoutes(correspondence: Correspondence): AddRoutes {
  return (app) => {
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
