/** Control routes for the harness: what the store holds, snapshots of it, and the metrics. */
import type { RequestListener } from 'node:http';
import { snapshotRoutes } from '#service/http/control/snapshot-routes.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import { METRICS_PATH } from './metrics/serve.ts';
import { contentsTold } from './store/contents-told.ts';
import type { Store } from './store/store.ts';

/**
 * `GET /contents` -> what {@link contentsTold} tells; the routes of snapshots; `GET /metrics`.
 */
export function controlRoutes(
  store: Pick<Store, 'contents' | 'keep' | 'clear'>,
  metrics: RequestListener,
): AddRoutes {
  const { keep, clear } = store;
  const snapshots = snapshotRoutes(keep && clear && { keep, clear });
  return (app, from) => {
    app.get('/contents', async (_request, response) => void response.json(await contentsTold(store)));
    snapshots(app, from);
    app.use(METRICS_PATH, metrics);
  };
}
