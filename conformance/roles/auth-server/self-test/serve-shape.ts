/**
 * Runs an authorization server of another build than the mock (a shape: `challenge` or `carried-sign`, in
 * plain JavaScript) in this process; a state file outlives a restart.
 */
import { join } from 'node:path';
import { seededRandom } from '#protocol/time/random.ts';
import { Ledger } from '../../../engine/defects/ledger.ts';
import { SELF_TEST_PASSWORD, SELF_TEST_USER } from '../defects/calls/secrets.ts';
import type { AuthVariant } from '../defects/defect.ts';
import type { ServedInProcess } from '../server-under-test.ts';
import type { ShapeOptions, ShapeServer } from '../shapes/shape.ts';
import { connectionOf } from './certificates.ts';
import { dying, startRestartable } from './restartable.ts';
import { CODES_PER_DAY, RESEND_AFTER_SECONDS, type ServeParts } from './serve-parts.ts';

/**
 * Limits (ms) the server's calls to the EHR server: enough for a slow machine, and short where a call must
 * time out.
 */
const EHR_TIMEOUT_MS = 1_500;

/**
 * Returns a function that starts the server for a variant: right, or wrong by named faults or changed calls.
 */
export function serveShape(startServer: (options?: ShapeOptions) => Promise<ShapeServer>) {
  return async (
    variant: AuthVariant,
    { ehrUrl, smsUrl, clock, seed }: ServeParts,
  ): Promise<ServedInProcess> => {
    const random = seededRandom(seed);
    const draw = () => Buffer.from(random(32)).toString('base64url');
    const { answerAfterMs, token, user, ...settings } = variant.settings ?? {};
    const { tls, fetch: vary } = variant;
    const start = async (directory: string, port: number, controlPort: number) => {
      const server: ShapeServer = await startServer({
        port,
        controlPort,
        ehrUrl,
        ...(tls && { ehrTls: connectionOf(tls) }),
        ehrUser: SELF_TEST_USER,
        ehrPassword: SELF_TEST_PASSWORD,
        ehrTimeoutMs: EHR_TIMEOUT_MS,
        smsUrl: `${smsUrl}/sms`,
        phones: ['7999555####'],
        notMembers: ['79995550000'],
        resendSeconds: RESEND_AFTER_SECONDS,
        codesPerDay: CODES_PER_DAY,
        stateFile: join(directory, 'state.json'),
        ...settings,
        ...(answerAfterMs !== undefined && {
          beforeAnswer: () => new Promise<void>((resolve) => clock.after(answerAfterMs, resolve)),
        }),
        faults: variant.faults ?? [],
        ...(vary && { sends: (send) => dying(vary(send, new Ledger()), () => server.close()) }),
        now: clock.now,
        random: {
          code: () => String(Buffer.from(random(6)).readUIntBE(0, 6) % 1_000_000).padStart(6, '0'),
          token: () => token?.(draw()) ?? draw(),
          ...(user && { user: () => user(draw()) }),
        },
      });
      return server;
    };
    return startRestartable(start);
  };
}
