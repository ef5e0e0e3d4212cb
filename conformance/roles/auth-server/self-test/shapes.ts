/**
 * The three authorization servers of the self-test. A shape is how a server is built: the mock, and two plain
 * ones, `challenge` and `carried-sign`. Each is right, until a defect makes it wrong.
 */
import { fileURLToPath } from 'node:url';
import { type LoadedAdapter, loadAdapter } from '../adapter/file/load.ts';
import { SELF_TEST_PASSWORD, SELF_TEST_USER } from '../defects/calls/secrets.ts';
import type { AuthVariant, Shape } from '../defects/defect.ts';
import type { ServedInProcess } from '../server-under-test.ts';
import { startServer as startCarriedSign } from '../shapes/carried-sign.mjs';
import { startServer as startChallenge } from '../shapes/challenge.mjs';
import { serveMock } from './serve-mock.ts';
import { RESEND_AFTER_SECONDS, type ServeParts } from './serve-parts.ts';
import { serveShape } from './serve-shape.ts';

export type ShapeParts = {
  /** The kind of server, as one phrase. */
  title: string;
  /** Reads the adapter file of the server. */
  load: () => Promise<LoadedAdapter>;
  /** Starts the server in this process. */
  serve: (variant: AuthVariant, parts: ServeParts) => Promise<ServedInProcess>;
};

export const shapes: Readonly<Record<Shape, ShapeParts>> = {
  mock: {
    title: 'The mock authorization server: JSON-RPC, its own report of the link',
    load: () => loaded('../../../examples/mock.yaml'),
    serve: serveMock,
  },
  challenge: {
    title: 'REST, codes bound to a challenge, a bearer apart from the EHR token, registered users only',
    load: () => loaded('../shapes/challenge.yaml'),
    serve: serveShape(startChallenge),
  },
  'carried-sign': {
    title: 'JSON-RPC, the user_sign carried with each sign-in; no report, no logout, no deletion',
    load: () => loaded('../shapes/carried-sign.yaml'),
    serve: serveShape(startCarriedSign),
  },
};

/**
 * Loads an adapter file, and sets what the self-test sets for every server: credentials, pause and time
 * limits.
 */
async function loaded(file: string): Promise<LoadedAdapter> {
  const { settings, ...about } = await loadAdapter(fileURLToPath(new URL(file, import.meta.url)), {});
  return {
    ...about,
    settings: {
      ...settings,
      internal: { ...settings.internal, user: SELF_TEST_USER, password: SELF_TEST_PASSWORD },
      ...(settings.otp && { otp: { ...settings.otp, resendAfterSeconds: RESEND_AFTER_SECONDS } }),
      timeouts: { ...settings.timeouts, stepMs: 4_000, patienceMs: 3_500 },
    },
  };
}
