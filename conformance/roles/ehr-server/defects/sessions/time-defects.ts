/** Defects of lifetimes: the unit, the end, and whose clock counts. */
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import { answering, authInfoOf, inCalls, READ, refusal, SAVE, withAuthInfo } from '../messages/messages.ts';
import { withRules, withStore } from '../parts.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Moves the end of every session. */
const endsAt = (change: (expiresAt: number, now: number) => number): EhrChange =>
  withStore((store, { clock }) => ({
    async findSession(tokenHash) {
      const session = await store.findSession(tokenHash);
      return session && { ...session, expiresAt: change(session.expiresAt, clock.now()) };
    },
  }));

/** Each use of a session begins its lifetime again. */
const sliding: EhrChange = withStore((store, { clock }) => {
  const lastUse = new Map<string, number>();
  return {
    async findSession(tokenHash) {
      const session = await store.findSession(tokenHash);
      const key = String(tokenHash);
      const now = clock.now();
      const isAlive = session && (lastUse.get(key) ?? session.expiresAt - MINUTE_MS) + MINUTE_MS > now;
      if (session && isAlive) lastUse.set(key, now);
      return session && isAlive ? { ...session, expiresAt: now + MINUTE_MS } : session;
    },
  };
});

const createdOf = (call: Parameters<typeof authInfoOf>[0]) => authInfoOf(call).created;
const isInFuture = (created: unknown, now: number) => typeof created === 'string' && Date.parse(created) > now;

export const timeDefects: readonly EhrDefect[] = [
  {
    id: 'minutes-as-seconds',
    title: 'The ttl is counted in seconds where clients send minutes',
    change: withRules({ ttlUnit: 'seconds' }),
    caughtBy: 'ttl-in-minutes',
  },
  {
    id: 'seconds-as-minutes',
    title: 'The ttl is counted in minutes where clients send seconds',
    change: {},
    settings: { ttlUnit: 'seconds' },
    caughtBy: 'ttl-in-seconds',
  },
  {
    id: 'session-five-minutes-longer',
    title: 'A tolerance of five minutes keeps sessions alive after their end',
    change: endsAt((expiresAt) => expiresAt + 5 * MINUTE_MS),
    caughtBy: 'ttl-in-minutes',
    seenIn: ['Altinn/altinn-studio#4085'],
  },
  {
    id: 'session-ends-early',
    title: 'A session ends ten seconds early',
    change: endsAt((expiresAt) => expiresAt - MINUTE_MS / 6),
    caughtBy: 'ttl-in-minutes',
  },
  {
    id: 'session-prolonged-by-use',
    title: 'Each use of a session begins its lifetime again',
    change: sliding,
    caughtBy: 'ttl-in-minutes',
  },
  {
    id: 'session-not-valid-yet',
    title: 'A session that was created a moment ahead of the server’s clock is not valid yet',
    change: answering(
      () =>
        (call, { next, parts }) =>
          call.method === SAVE && isInFuture(createdOf(call), parts.clock.now())
            ? refusal(call, 'invalid_params')
            : next(),
    ),
    caughtBy: 'created-decides-nothing',
    seenIn: ['google/exposure-notifications-server#1511'],
  },
  {
    id: 'lifetime-from-created',
    title: 'The lifetime of a session is counted from its created',
    change: answering(() => {
      const created = new Map<unknown, number>();
      return (call, { next, parts }) => {
        const at = Date.parse(String(createdOf(call)));
        if (call.method === SAVE && !Number.isNaN(at)) created.set(authInfoOf(call).token, at);
        const { token } = Object(call.cred) as { token?: unknown };
        const isOver = parts.clock.now() > (created.get(token) ?? Infinity) + MINUTE_MS;
        return call.method === READ && isOver ? refusal(call, 'session_expired') : next();
      };
    }),
    caughtBy: 'created-decides-nothing',
  },
  {
    id: 'created-as-number-refused',
    title: 'A created that is a number is refused',
    change: answering(
      () =>
        (call, { next }) =>
          call.method === SAVE && typeof createdOf(call) === 'number' ? refusal(call, 'invalid_params') : next(),
    ),
    caughtBy: 'created-decides-nothing',
  },
  {
    id: 'created-in-number-not-valid-yet',
    title: 'A session whose created is a number ahead of the server’s clock is refused',
    change: answering(
      () =>
        (call, { next, parts }) =>
          call.method === SAVE && Number(createdOf(call)) > parts.clock.now()
            ? refusal(call, 'invalid_params')
            : next(),
    ),
    caughtBy: 'created-decides-nothing',
  },
  {
    id: 'session-to-the-next-second',
    title: 'The end of a session is compared in whole seconds, so that it lives up to a second longer',
    change: endsAt((expiresAt) => Math.floor(expiresAt / SECOND_MS) * SECOND_MS + SECOND_MS),
    caughtBy: 'over-at-the-instant',
  },
  {
    id: 'session-half-a-second-longer',
    title: 'A tolerance of half a second keeps sessions alive after their end',
    change: endsAt((expiresAt) => expiresAt + SECOND_MS / 2),
    caughtBy: 'over-at-the-instant',
  },
  {
    id: 'created-prolongs',
    title: 'A created in the future prolongs a session',
    change: inCalls((call, { parts }) =>
      call.method === SAVE && isInFuture(createdOf(call), parts.clock.now())
        ? withAuthInfo(call, { ttl: 1_000 })
        : call,
    ),
    caughtBy: 'created-prolongs-nothing',
  },
];
