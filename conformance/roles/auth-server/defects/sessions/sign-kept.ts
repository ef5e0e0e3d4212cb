/** Defects that lose a user's signature in trouble, and sign-ins overtaken by a deletion. */
import type { Context } from '#mock-auth-server/context.ts';
import { withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

type Save = Context['ehr']['saveAuthInfo'];

function saving(context: Context, make: (save: Save) => Save): Context {
  return { ...context, ehr: { ...context.ehr, saveAuthInfo: make(context.ehr.saveAuthInfo) } };
}

function forget({ store: { directory } }: Context, user: string): void {
  directory.replaceUserSign(user, directory.entryOf(user)?.userSign ?? null, null);
}

export const signKeptDefects: readonly Defect[] = [
  withContext(
    'outage-forgets-sign',
    'Trouble with the EHR server at a sign-in makes the signature forgotten',
    'signature-kept-in-outage',
    (context) =>
      saving(context, (save) => async (info, sign) => {
        try {
          return await save(info, sign);
        } catch (error) {
          forget(context, info.user);
          throw error;
        }
      }),
  ),
  withContext(
    'refusal-forgets-sign',
    'Any refusal of the EHR server makes the signature forgotten',
    'signature-kept-in-refusal',
    (context) =>
      saving(context, (save) => async (info, sign) => {
        const refusal = await save(info, sign);
        if (refusal) forget(context, info.user);
        return refusal;
      }),
  ),
  withContext(
    'given-sign-kept-first',
    'A signature that comes with a sign-in is kept before the EHR server has accepted it',
    'given-signature-proven-first',
    (context) =>
      saving(context, (save) => (info, sign) => {
        context.store.directory.keepUserSign(info.user, sign);
        return save(info, sign);
      }),
  ),
  withPipeline(
    'refused-report-forgets-sign',
    'A report that is refused makes the earlier signature forgotten',
    'signature-kept-when-report-refused',
    (context) => async (call, pass) => {
      const reply = await pass(call);
      if (call.method === 'auth.report_link' && reply.error && call.cred) forget(context, call.cred.user);
      return reply;
    },
  ),
  withContext(
    'sign-in-outlives-deletion',
    'A sign-in that ends after the deletion of its user opens a session',
    'deletion-outlives-sign-in',
    (context) => {
      const { store, codes, clock } = context;
      const { ehr } = saving(context, (save) => async (info, sign) => {
        const [identity, entry] = [store.directory.identityOf(info.user), store.directory.entryOf(info.user)];
        const refusal = await save(info, sign);
        // The sign-in writes back what it read before.
        if (identity && !store.directory.identityOf(info.user))
          store.atomically(() =>
            store.directory.ensureUser({ user: info.user, identity, internalId: entry?.internalId, now: clock.now() }),
          );
        return refusal;
      });
      return {
        ...context,
        ehr,
        codes: {
          ...codes,
          claim(attribute, code) {
            const claim = codes.claim(attribute, code);
            return {
              ...claim,
              consume() {
                if (store.codes.find(attribute)) claim.consume();
              },
            };
          },
        },
      };
    },
  ),
  onShape('challenge', 'sign-in-outlives-deletion', 'deletion-outlives-sign-in'),
  onShape('challenge', 'outage-forgets-sign', 'signature-kept-in-outage'),
  onShape('challenge', 'refusal-forgets-sign', 'signature-kept-in-refusal'),
  onShape('challenge', 'given-sign-kept-first', 'given-signature-proven-first'),
  onShape('challenge', 'refused-report-forgets-sign', 'signature-kept-when-report-refused'),
];
