/** Defects in saves of sessions that are repeated, refused for their signature, or of too many sessions. */
import type { Context } from '#mock-auth-server/context.ts';
import { withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

const INTERNAL_ERROR = -32603;
const NOT_AUTHORIZED = -33000;
const TOKEN_STORED = -34003;

type Info = { user: string; token: string; ttl: number };
type Save = Context['ehr']['saveAuthInfo'];

const saving = (context: Context, make: (save: Save) => Save): Context => ({
  ...context,
  ehr: { ...context.ehr, saveAuthInfo: make(context.ehr.saveAuthInfo) },
});

export const furtherSaveDefects: readonly Defect[] = [
  withContext(
    'clients-repeat-refused',
    'A report that is repeated after its reply was lost is told as a failure, because it is stored already',
    'own-repeat-is-success',
    (context) => {
      const sent = new Set<string>();
      return saving(context, (save) => async (info, sign) => {
        const isRepeat = sent.has(info.token);
        sent.add(info.token);
        const refusal = await save(info, sign);
        return isRepeat && refusal?.code === TOKEN_STORED ? { code: INTERNAL_ERROR } : refusal;
      });
    },
  ),
  withContext(
    'unauthorized-sign-locks-out',
    'A sign-in fails for as long as a signature is on record that the EHR server answers not_authorized to',
    'disconnected-user-not-locked-out',
    (context) =>
      saving(context, (save) => async (info, sign) => {
        const refusal = await save(info, sign);
        return refusal?.code === NOT_AUTHORIZED ? { code: INTERNAL_ERROR } : refusal;
      }),
  ),
  withPipeline(
    'report-saves-all-sessions',
    'The report of a link saves every session of the user',
    'saved-session-is-the-given-one',
    ({ ehr }) => {
      const sessions = new Map<string, Info>();
      return async (call, pass) => {
        const own = call.cred && sessions.get(call.cred.token);
        if (call.method === 'auth.report_link' && own)
          for (const other of sessions.values())
            if (other.user === own.user && other.token !== own.token)
              await ehr.saveAuthInfo(other, String(call.params.user_sign)).catch(() => undefined);
        const reply = await pass(call);
        const info = reply.result?.authInfo as Info | undefined;
        if (info) sessions.set(info.token, info);
        return reply;
      };
    },
  ),
  onShape('challenge', 'own-repeat-refused', 'own-repeat-is-success'),
  onShape('challenge', 'unauthorized-locks-out', 'disconnected-user-not-locked-out'),
  onShape('challenge', 'link-saves-all', 'saved-session-is-the-given-one'),
];
