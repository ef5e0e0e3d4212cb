/** Defects in how a session is recognized, and in whose session a request is executed. */
import type { StepName } from '../../../../engine/journal/entry.ts';
import { type Call, lastSession, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

type Info = { user: string; token: string };

/** Executes a call for another session than it shows, if `find` finds one among those given out. */
export function recognising(
  id: string,
  title: string,
  caughtBy: string,
  find: (given: readonly Info[], call: Call) => Info | undefined,
  more: Partial<Defect> = {},
): Defect {
  return withPipeline(
    id,
    title,
    caughtBy,
    () => {
      const given: Info[] = [];
      return async (call, pass) => {
        const other = call.cred && find(given, call);
        const reply = await pass(other ? { ...call, cred: other } : call);
        const info = reply.result?.authInfo as Info | undefined;
        if (info) given.push({ user: info.user, token: info.token });
        return reply;
      };
    },
    more,
  );
}

const namedUser = (method: string) => (given: readonly Info[], call: Call) =>
  call.method === method ? given.findLast(({ user }) => user === call.cred?.user) : undefined;

/** The shape trusts the user named beside its bearer token, at one step. */
const namedUserWins = (id: string, step: StepName, caughtBy: string): Defect => ({
  ...onShape('challenge', 'named-user-wins', caughtBy),
  id: `challenge-${id}`,
  file: { namesUser: [step] },
});

export const othersSessionDefects: readonly Defect[] = [
  recognising(
    'session-by-prefix',
    'A session is found by the first eight characters of its token',
    'part-of-session-refused',
    (given, { cred }) => given.find(({ token }) => token.slice(0, 8) === cred?.token.slice(0, 8)),
  ),
  recognising(
    'session-by-part',
    'A session is found by the beginning of its token, however short',
    'part-of-session-refused',
    (given, { cred }) => given.find(({ token }) => cred?.token && token.startsWith(cred.token)),
  ),
  recognising(
    'session-in-any-case',
    'A session is found by its token in any case',
    'session-case-compared',
    (given, { cred }) => given.find(({ token }) => token.toLowerCase() === cred?.token.toLowerCase()),
  ),
  recognising(
    'session-sought-in-text',
    'A session is found by a text that has its token in it',
    'session-not-sought-in-text',
    (given, { cred }) => given.find(({ token }) => cred?.token?.includes(token)),
  ),
  withPipeline('unknown-token-opens-last', 'Any token opens the newest session', 'invented-session-refused', () => {
    const last = lastSession();
    return async (call, pass) => {
      const first = await pass(call);
      last.seen(first);
      const session = call.cred?.token ? last.get() : undefined;
      return first.error?.data.reason === 'not_authorized' && session ? pass({ ...call, cred: session }) : first;
    };
  }),
  recognising(
    'report-for-named-user',
    'A report is carried out for the user who is named',
    'report-for-own-session',
    namedUser('auth.report_link'),
  ),
  recognising(
    'logout-of-named-user',
    'A logout ends the session of the user who is named',
    'logout-of-own-session',
    namedUser('auth.logout'),
  ),
  recognising(
    'deletion-of-named-user',
    'A deletion is carried out for the user who is named',
    'deletion-of-own-user',
    namedUser('auth.delete_user'),
  ),
  recognising(
    'report-without-session',
    'A report without a session is carried out for the newest one',
    'report-needs-session',
    (given, { method, cred }) => (method === 'auth.report_link' && !cred?.token ? given.at(-1) : undefined),
  ),
  onShape('challenge', 'session-by-prefix', 'part-of-session-refused'),
  onShape('challenge', 'session-in-any-case', 'session-case-compared'),
  onShape('challenge', 'session-sought-in-text', 'session-not-sought-in-text'),
  onShape('challenge', 'unknown-bearer-opens-last', 'invented-session-refused'),
  onShape('challenge', 'link-without-session', 'report-needs-session'),
  namedUserWins('token-for-named-user', 'exchangeToken', 'mixed-session-refused'),
  namedUserWins('report-for-named-user', 'reportLink', 'report-for-own-session'),
  namedUserWins('logout-of-named-user', 'logout', 'logout-of-own-session'),
  namedUserWins('deletion-of-named-user', 'deleteUser', 'deletion-of-own-user'),
  onShape('carried-sign', 'session-by-prefix', 'part-of-session-refused'),
  onShape('carried-sign', 'session-in-any-case', 'session-case-compared'),
];
