/** Defects that show a user the record of another: by an id, a cache, or a number that came again. */
import { done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, yes } from '../../../../engine/defects/rpc-call.ts';
import { after, both, memoised, shared } from '../changes.ts';
import { defects } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import { DISCONNECT, READ, SAVES } from '../methods.ts';

/** Honour an id among the params of get_patient. */
const chosenBy = (choose: (params: Members) => unknown) =>
  after(done(READ), async ({ params, parts, result }) => {
    const patient = await parts.mis.get(String(choose(params)));
    return patient && yes({ ...result, patient });
  });

export const othersRecordDefects = defects({
  'patient-chosen-by-id': {
    title: 'get_patient honours an id among its params',
    change: chosenBy(({ patientId, id }) => patientId ?? id),
    caughtBy: 'ids-choose-nobody',
    seenIn: ['gopaljilab/Clinical-Insight-Engine#440', 'openemr/openemr#11853'],
  },
  'user-chosen-by-params': {
    title: 'get_patient honours a user among its params',
    change: after(done(READ), async ({ params, parts, result }) => {
      const link = await parts.store.findLink(String(params.user));
      return link && yes({ ...result, patient: await parts.mis.get(link.patientId) });
    }),
    caughtBy: 'ids-choose-nobody',
    seenIn: ['openemr/openemr#11853'],
  },
  'requests-kept-by-id': {
    title: 'Requests under way are kept by their JSON-RPC id alone',
    change: shared(READ, ({ call }) => call.id),
    caughtBy: 'own-patient-at-once',
    seenIn: ['modelcontextprotocol/swift-sdk#265'],
  },
  'records-cached-for-all': {
    title: 'Records are cached under a key that all users share',
    change: memoised(READ, ({ call }) => call.method),
    caughtBy: 'own-patient-at-once',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  'row-numbers-again': {
    title: 'The ids of saved records begin again when a link was removed',
    change: both(
      after(done(SAVES), ({ seen }) => yes({ id: String(seen.count('rows')) })),
      after(done(DISCONNECT), ({ seen }) => {
        seen.forget('rows');
      }),
    ),
    caughtBy: 'ids-of-saves-differ',
    seenIn: ['yesodweb/persistent#1598', 'nocodb/nocodb#12326'],
  },
  'link-inherits-sessions': {
    title: 'A new link takes the row of a removed one, and its sessions',
    change: after(refused(READ, 'not_authorized'), ({ cred, seen }) => {
      const isRemoved = seen.done(DISCONNECT).some((call) => call.cred.token === cred.token);
      const heir = isRemoved ? [...seen.links.values()].at(-1) : undefined;
      return heir && yes(heir);
    }),
    caughtBy: 'former-session-reads-nothing',
    seenIn: ['yesodweb/persistent#1598'],
  },
  'reply-may-be-cached': {
    title: 'Replies with a record may be kept by any cache',
    change: inResponses(({ headers }) => ({ headers: { ...headers, 'cache-control': 'max-age=60' } })),
    caughtBy: 'record-not-cached',
    seenIn: ['dgtlmoon/changedetection.io#4319'],
  },
});
