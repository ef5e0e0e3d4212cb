/** Endings at which the authorization server fails after the EHR server has done its part (§4.5, §4.6). */
import { type ClientCheck, callsIn, check, told } from '../check.ts';

export const halfEndingChecks: readonly ClientCheck[] = [
  authFailing({
    id: 'auth-server-fails-at-logout',
    what: 'a logout',
    requirement: '4.5-ehr-first',
    press: 'logout',
    method: 'auth.logout',
  }),
  authFailing({
    id: 'auth-server-fails-at-deletion',
    what: 'a deletion',
    requirement: '4.6-with-deletion',
    press: 'deleteAccount',
    method: 'auth.delete_user',
  }),
];

type AuthFailing = {
  id: string;
  what: string;
  requirement: '4.5-ehr-first' | '4.6-with-deletion';
  press: 'logout' | 'deleteAccount';
  method: string;
};

/** The check of an ending at which the authorization server fails after the EHR server has done its part. */
function authFailing({ id, what, requirement, press, method }: AuthFailing): ClientCheck {
  return check({
    id,
    title: `When the authorization server fails at ${what}, the person is told and gets out in the end`,
    requirements: [requirement, '7-client-handles-errors'],
    expect: { 'the authorization server fails': told(), 'ends at last': told('signedOut') },
    async play(world) {
      await world.linked();
      world.trouble('auth', method, { kind: 'http-500' });
      await world.press('the authorization server fails', press);
      world.calm();
      await world.endBy('ends at last', press);
    },
    judge({ own, of }) {
      const failed = of('the authorization server fails');
      if (failed.result.kind === 'done' && failed.result.values.hasRecord)
        return {
          expected: 'no record after the EHR server has ended its part',
          actual: 'it is shown',
          shownBy: [failed],
        };
      const calls = callsIn(...own()).filter((call) => call === `auth ${method}`);
      if (calls.length > 1) return undefined;
      const actual = 'the authorization server keeps its part';
      return { expected: `${method} is called again`, actual, shownBy: [of('ends at last')] };
    },
    advice: `Remember that the EHR server has ended its part, and call ${method} again.`,
  });
}
