/** Defects that forget the tries of a code because of what other people do. */
import { codeOf, freshCode, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

const CHECK = 'tries-kept-beside-others';

/** Limits the newer code requests after which a defect forgets tries. */
const MAX_NEWER = 6;

export const triesForgottenDefects: readonly Defect[] = [
  withPipeline('tries-evicted', 'Tries of a code are forgotten once a few newer codes were sent', CHECK, (context) => {
    const sent = new Map<unknown, { newer: number; wrong: number; code: string | undefined }>();
    return async (call, pass) => {
      const { phone, code } = call.params;
      const reply = await pass(call);
      if (call.method === 'auth.request_otp' && reply.result) {
        for (const each of sent.values()) each.newer++;
        const [message] = codeOf(context, phone);
        sent.set(phone, { newer: 0, wrong: 0, code: message?.code });
      }
      const own = sent.get(phone);
      if (call.method !== 'auth.confirm_otp' || !own) return reply;
      if (reply.result) sent.delete(phone);
      if (code !== own.code) own.wrong++;
      const isLocked = reply.error && code === own.code && own.wrong > 0;
      if (!isLocked || own.newer < MAX_NEWER) return reply;
      sent.delete(phone);
      return pass({ ...call, params: { ...call.params, code: freshCode(context, String(phone)) } });
    };
  }),
  onShape('challenge', 'tries-evicted', CHECK),
];
