/** Defects by which a caller becomes somebody else. */
import { digest } from '#protocol/wire/digest.ts';
import { done } from '../../../../engine/defects/operators.ts';
import { withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import { after, before, both, type EhrTurn, internalCred, pendingOf, propertiesIn } from '../changes.ts';
import { defects } from '../defect.ts';
import { inRequests } from '../messages/http-messages.ts';
import { AUTHENTICATE, READ, REMOVALS, SAVE } from '../methods.ts';

/** Let the user whom authenticate names beside its exchange token read with the session that it opens. */
const linksNamed = (named: (turn: EhrTurn) => unknown) =>
  both(
    after(done(AUTHENTICATE), (turn) => {
      const pending = pendingOf(turn);
      if (pending) turn.seen.notes<string>('named').set(`${named(turn)} ${pending.token}`, pending.user);
    }),
    before(READ, ({ call, cred, seen }) => {
      const user = seen.notes<string>('named').get(`${cred.user} ${cred.token}`);
      return user === undefined ? undefined : withCred(call, { user });
    }),
  );

/** A header chooses the user whose newest session reads. */
const READER_HEADER = 'x-user-id';
const readsForHeader = {
  ...before(READ, ({ call, seen }) => {
    const user = call.readerOfHeader;
    const token = seen.tokensOf(user).at(-1);
    return token ? { ...call, cred: { user, token } } : undefined;
  }),
  ...inRequests(({ headers, body }) => {
    const user = headers[READER_HEADER];
    if (user === undefined) return {};
    return { body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), readerOfHeader: user })) };
  }),
};

export const impersonationDefects = defects({
  'user-of-params-linked': {
    title: 'authenticate opens the session for a user among its params, too',
    change: linksNamed(({ params }) => params.user),
    caughtBy: 'nobody-linked-by-params',
  },
  'internal-user-id-linked': {
    title: 'authenticate opens the session for an internal user id among the properties',
    change: linksNamed((turn) => propertiesIn(turn).internalUserId),
    caughtBy: 'nobody-linked-by-params',
  },
  'patient-of-properties-linked': {
    title: 'authenticate takes the id of a patient among the properties',
    change: after(done(AUTHENTICATE), async (turn) => {
      const patient = await turn.parts.mis.get(String(propertiesIn(turn).patientId));
      return patient && yes({ ...turn.result, patient });
    }),
    caughtBy: 'nobody-linked-by-params',
  },
  'signature-of-named-user': {
    title: 'save_auth_info looks the user_sign up by a user beside its authInfo',
    change: before(SAVE, async ({ call, params, cred, authInfo, parts }) => {
      const named = await parts.store.findLink(String(params.user));
      const meant = await parts.store.findLink(String(authInfo.user));
      const isTaken = named && cred.token === digest(parts.rules.internalPassword, named.userSign);
      return isTaken && meant ? { ...call, cred: internalCred(parts, meant.userSign) } : undefined;
    }),
    caughtBy: 'nobody-saved-by-params',
  },
  'removal-of-named-session': {
    title: 'A removal ends the session that its params name',
    change: before(REMOVALS, ({ call, params: { user, token } }) =>
      user !== undefined && token !== undefined ? { ...call, cred: { user, token } } : undefined,
    ),
    caughtBy: 'nobody-removed-by-params',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  'user-chosen-by-header': {
    title: 'get_patient reads for the user whom a header names',
    change: readsForHeader,
    caughtBy: 'ids-choose-nobody',
    seenIn: ['openemr/openemr#11853'],
  },
});
