/** What the page and its worker agree on: the addresses of the parties, and what the two tell each other. */
import type { Events } from '#console/api.ts';

/** The addresses of the servers in the page. `.invalid` is no domain, so that nothing could be sent there. */
export const AUTH_URL = 'http://auth.invalid';
export const EHR_URL = 'http://ehr.invalid';
export const INTERNAL_URL = 'http://ehr-internal.invalid';
export const OUTBOX_URL = 'http://outbox.invalid';

export const API_VERSION = '1.0-alpha';

/** A request and its answer have an id, and so has a stream of events. */
export type ToWorker =
  | { kind: 'open'; clientFrame: string }
  | {
      kind: 'request';
      id: number;
      address: string;
      method: string;
      headers: [string, string][];
      body: string | undefined;
    }
  | { kind: 'abort'; id: number }
  | { kind: 'events'; id: number; showsSecrets: boolean };

export type FromWorker =
  | { kind: 'answer'; id: number; status: number; headers: [string, string][]; body: string }
  | { kind: 'failure'; id: number; message: string }
  | { kind: 'event'; id: number; name: keyof Events; json: string };

/** The address of the console for the page: below it are its answers. */
export const CONSOLE_URL = 'http://console.invalid';
