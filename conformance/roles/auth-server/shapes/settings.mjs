/** Settles the settings of the plain authorization servers, and starts such a server as a program. */

/** The defaults. Times are in the unit of the name; port 0 is a free one. */
const DEFAULTS = {
  port: 0,
  ehrUrl: 'http://127.0.0.1:4180',
  apiVersion: '1.0-alpha',
  ehrUser: 'auth-server',
  ehrPassword: '',
  ehrTimeoutMs: 4_000,
  smsUrl: 'http://127.0.0.1:4181/sms',
  notMembers: [],
  otpLifetimeSeconds: 300,
  resendSeconds: 30,
  codesPerDay: 20,
  sessionMinutes: 24 * 60,
};

/** The given settings; the default for each that is undefined. */
export function withDefaults(given) {
  return {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** Starts a server as a program, with its settings from the environment; SIGTERM stops it. */
export async function startFromEnvironment(startServer) {
  const { env } = process;
  const number = (text) => (text === undefined ? undefined : Number(text));
  const list = (text) => text?.split(',').filter(Boolean);
  const server = await startServer({
    port: number(env.PORT ?? '4280'),
    controlPort: number(env.CONTROL_PORT),
    ehrUrl: env.EHR_URL,
    apiVersion: env.EHR_API_VERSION,
    ehrUser: env.EHR_USER,
    ehrPassword: env.EHR_PASSWORD,
    ehrTimeoutMs: number(env.EHR_TIMEOUT_MS),
    smsUrl: env.SMS_URL,
    phones: list(env.PHONES),
    notMembers: list(env.NOT_MEMBERS),
    otpLifetimeSeconds: number(env.OTP_LIFETIME_SECONDS),
    resendSeconds: number(env.RESEND_SECONDS),
    codesPerDay: number(env.CODES_PER_DAY),
    sessionMinutes: number(env.SESSION_MINUTES),
    stateFile: env.STATE_FILE || undefined,
    faults: list(env.FAULTS),
  });
  process.on('SIGTERM', () => server.close().then(() => process.exit(0)));
  process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`);
}
