/** Control routes for the harness: what the store holds, snapshots of it, and the metrics. */
import type { RequestListener } from 'node:http';
import { snapshotRoutes } from '#service/http/control/snapshot-routes.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import { METRICS_PATH } from './metrics/serve.ts';
import type { Store } from './store/store.ts';

/** The most rows of each kind that are listed. */
const MAX_ROWS = 500;

/**
 * `GET /contents` -> `{ sessions: [{ tokenHash, user, patientId, expiresAt }], exchangeTokens: [{ hash, user,
 * expiresAt, failures }], links: [{ user, patientId }] }`, hashes in hexadecimal; the routes of snapshots;
 * `GET /metrics`.
 */
export function controlRoutes(
  store: Pick<Store, 'contents' | 'keep' | 'clear'>,
  metrics: RequestListener,
): AddRoutes {
  const { keep, clear } = store;
  const snapshots = snapshotRoutes(keep && clear && { keep, clear });
  return (app, from) => {
    app.get('/contents', async (_request, response) => {
      const { sessions, exchangeTokens, links } = await store.contents(MAX_ROWS);
      response.json({
        sessions: sessions.map((row) => ({ ...row, tokenHash: hexOf(row.tokenHash) })),
        exchangeTokens: exchangeTokens.map((row) => ({ ...row, hash: hexOf(row.hash) })),
        links,
      });
    });
    snapshots(app, from);
    app.use(METRICS_PATH, metrics);
  };
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}
