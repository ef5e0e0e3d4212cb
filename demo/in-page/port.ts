/** What the page and the worker in which the parties run tell each other. */
import type { Events } from '#console/api.ts';

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
  | { kind: 'events'; id: number; isClear: boolean };

export type FromWorker =
  | { kind: 'answer'; id: number; status: number; headers: [string, string][]; body: string }
  | { kind: 'failure'; id: number; message: string }
  | { kind: 'event'; id: number; name: keyof Events; json: string };

/** The address of the console for the page: below it are its answers. */
export const CONSOLE_URL = 'http://console.invalid';
