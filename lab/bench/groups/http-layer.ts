/** The cost of HTTP and JSON-RPC alone: a call that every server refuses without using its database. */
import { BARE, connectionsCase, EHR, EXPRESS, JAYSON, JSON_RPC, OAUTH, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { type Contender, measureRates } from '../rates.ts';
import type { Group } from '../run.ts';
import { withServers } from '../servers.ts';

export const httpLayer: Group = {
  id: TABLES.http,
  about: 'the HTTP and JSON-RPC layers alone, against all peers',
  async run(bench) {
    const data = {
      database: await bench.databases.sessions({ sessions: 1_000, users: 1_000 }),
      population: await bench.databases.population(1_000),
    };
    return withServers(bench, async (start) => {
      const call = { plan: { kind: 'unknown_method' } as const, numbers: { next: 0 } };
      const token = { plan: { kind: 'oauth_token' } as const, numbers: { next: 0 } };
      const contenders: Contender[] = [
        { of: EHR, servers: [await start.ehr(data)], ...call },
        { of: BARE, servers: [await start.peer('bare', data)], ...call },
        { of: EXPRESS, servers: [await start.peer('express', data)], ...call },
        { of: JAYSON, servers: [await start.peer('jayson', data)], ...call },
        { of: JSON_RPC, servers: [await start.peer('json-rpc', data)], ...call },
        { of: OAUTH, servers: [await start.alone('oauth-tokens')], ...token },
      ];
      const about =
        'A call of a method that does not exist: read, parsed, looked up, refused in JSON-RPC. oauth2-mock-server has no JSON-RPC; it gives out a signed token at its token endpoint, which is its everyday work.';
      const table = { id: TABLES.http, title: 'HTTP and JSON-RPC alone', about, base: BARE };
      const at = { case: connectionsCase(JUDGED_CONNECTIONS), connections: JUDGED_CONNECTIONS };
      return [await measureRates(bench, table, [{ ...at, contenders }])];
    });
  },
};
