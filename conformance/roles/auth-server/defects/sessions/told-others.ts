/** Defects in what a client is told of others and of failures, and in what a link does to other devices. */
import { RpcError } from '#protocol/wire/errors.ts';
import { withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

type Info = { user: string; token: string };

const unknownSession = () => ({ ...new RpcError('not_authorized').toObject() });

export const toldOthersDefects: readonly Defect[] = [
  withPipeline('users-listed', 'A sign-in is answered with the users who signed in last', 'nobody-else-named', () => {
    const users: string[] = [];
    return async (call, pass) => {
      const reply = await pass(call);
      const info = reply.result?.authInfo as Info | undefined;
      if (info) users.push(info.user);
      return info ? { ...reply, result: { ...reply.result, online: users.slice(-5) } } : reply;
    };
  }),
  withPipeline(
    'last-phone-told',
    'The answer to the request of a code names the phone of the request before',
    'nobody-else-named',
    () => {
      let last: unknown;
      return async (call, pass) => {
        const reply = await pass(call);
        if (call.method !== 'auth.request_otp' || !reply.result) return reply;
        const told = { ...reply, result: { ...reply.result, previous: last } };
        last = call.params.phone;
        return told;
      };
    },
  ),
  withPipeline(
    'trouble-told-as-unknown-session',
    'Trouble with the EHR server is told as a session that does not exist',
    'trouble-told-apart',
    () => async (call, pass) => {
      const reply = await pass(call);
      const isTrouble = reply.error?.data.reason.startsWith('ehr_') && call.cred !== undefined;
      return isTrouble ? ({ ...reply, error: unknownSession() } as typeof reply) : reply;
    },
  ),
  withPipeline(
    'link-ends-other-devices',
    'The report of a link ends the sessions of the user on other devices',
    'link-leaves-other-devices',
    () => {
      const opened = new Map<string, string[]>();
      const ended = new Set<string>();
      return async (call, pass) => {
        const { cred } = call;
        const isEnded = cred !== undefined && ended.has(cred.token);
        const reply = await pass(isEnded ? { ...call, cred: { ...cred, token: 'ended' } } : call);
        const info = reply.result?.authInfo as Info | undefined;
        if (info) opened.set(info.user, [...(opened.get(info.user) ?? []), info.token]);
        if (call.method === 'auth.report_link' && reply.result && cred)
          for (const token of opened.get(cred.user) ?? []) if (token !== cred.token) ended.add(token);
        return reply;
      };
    },
  ),
  onShape('challenge', 'phones-in-reply', 'nobody-else-named'),
  onShape('challenge', 'trouble-told-as-unknown', 'trouble-told-apart'),
  onShape('challenge', 'link-ends-others', 'link-leaves-other-devices'),
  onShape('carried-sign', 'trouble-told-as-unknown', 'trouble-told-apart'),
];
