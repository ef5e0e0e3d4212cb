/** The setting for the number of connections, and the limit of each listener. */
import { roomForConnections } from '#service/open-files.ts';
import { type SettingsTable, wholeNumber } from '#service/settings.ts';

export const connectionSettings = {
  maxConnections: {
    flag: '--max-connections <number>',
    env: 'EHR_MAX_CONNECTIONS',
    default: '16384',
    schema: wholeNumber(1, 1_000_000),
    help: 'connections that each listener holds, as far as the limit on open files allows; then the one longest at rest makes room',
  },
} as const satisfies SettingsTable;

/** The share of all connections for clients if the authorization server has its own listener. */
const CLIENTS_SHARE = 3 / 4;

/** The most connections of each listener. A full listener never blocks the other. */
export function connectionLimits({ maxConnections, internalPort }: { maxConnections: number; internalPort?: unknown }) {
  const room = roomForConnections() ?? Number.POSITIVE_INFINITY;
  const share = internalPort === undefined ? 1 : CLIENTS_SHARE;
  const within = (part: number) => Math.max(1, Math.min(maxConnections, Math.floor(room * part)));
  return { clients: within(share), internal: within(1 - share) };
}
