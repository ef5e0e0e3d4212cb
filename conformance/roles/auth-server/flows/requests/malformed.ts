/** Malformed requests: cut off, empty, or sent by GET instead of POST. */

import { byGet, withBody } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../player/driver.ts';
import { noting } from '../codes/two-phones.ts';
import { type Label, scenario } from '../scenario.ts';

/** Text that no encoding can represent. */
const HALF = 'with half a character';

/** Replacements of the body. */
const BODIES = {
  'cut off': (body: string) => body.slice(0, CUT_CHARS),
  'without anything in it': (body: string) => (body.startsWith('{') ? '{}' : ''),
  [HALF]: (body: string) => (body.startsWith('{') ? body.replace(/"(?=[^"]*$)/, '\\ud800"') : `${body}%ff`),
} as const;

/** Ends within the first name of a JSON body, and within the first value of a form. */
const CUT_CHARS = 8;

type Body = keyof typeof BODIES;
type Asked = 'requestOtp' | 'confirmOtp';
export const bodyNames = Object.keys(BODIES) as Body[];
const ASKED: Record<Asked, string> = { requestOtp: 'a request for a code', confirmOtp: 'a confirmation' };
export const askedNames = Object.keys(ASKED) as Asked[];

/**
 * A server may ignore half a character in a phone. It is therefore sent with a code alone: not with a request
 * for one, and not to a server without codes.
 */
const isSent = ({ adapter }: Driver, asked: Asked, name: Body) =>
  adapter.has(asked) && (name !== HALF || (asked === 'confirmOtp' && adapter.has('requestOtp')));

export const malformed = scenario({
  id: 'malformed',
  title: 'Requests come with a body that is cut off, empty, or has half a character in it',
  needs: ['confirmOtp'],
  codes: 3,
  steps: {
    instead: (asked: Asked, name: Body) => `${ASKED[asked]} ${name}`,
    signIn: 'Rob signs in afterwards',
  },
  async run(driver, steps) {
    const rob = await driver.user('Rob');
    for (const asked of askedNames)
      for (const name of bodyNames)
        if (isSent(driver, asked, name))
          await driver.performChanged({ ...rob }, asked, steps.instead(asked, name), {
            change: withBody(BODIES[name]),
            defect: `the body is ${name}`,
            ...(asked === 'confirmOtp' && { input: { code: '000000', requestSeq: '' } }),
          });
    await driver.signIn(rob, steps.signIn);
  },
});

/** Steps that end a session. */
export const endings = ['logout', 'deleteUser'] as const;
type Ending = (typeof endings)[number];

export const asGet = scenario({
  id: 'as-get',
  title: 'What is asked for by a POST is asked for by a GET',
  needs: ['confirmOtp', 'exchangeToken'],
  steps: {
    requests: 'Gia requests a code',
    confirm: 'signs in by GET',
    confirmControl: 'signs in by POST',
    token: 'exchange token by GET',
    tokenControl: 'exchange token by POST',
    end: (ending: Ending) => `${ending} by GET`,
    after: (ending: Ending) => `exchange token after ${ending} by GET`,
  },
  async run(driver, steps) {
    const gia = await driver.user('Gia');
    const code = await driver.code(gia, steps.requests);
    await getting(driver, { ...gia }, 'confirmOtp', steps.confirm, { code });
    const { kind } = await driver.perform(gia, 'confirmOtp', steps.confirmControl, { input: { code } });
    if (kind !== 'done') return;
    await getting(driver, { ...gia }, 'exchangeToken', steps.token);
    await driver.mustSucceed(gia, 'exchangeToken', steps.tokenControl);
    for (const ending of endings) {
      if (!driver.adapter.has(ending)) continue;
      if (!(await getting(driver, { ...gia }, ending, steps.end(ending)))) continue;
      await driver.perform(gia, 'exchangeToken', steps.after(ending));
    }
  },
});

/**
 * Sends a step by GET.
 * @returns whether the adapter file has it by POST
 */
async function getting(
  driver: Driver,
  user: User,
  step: 'confirmOtp' | 'exchangeToken' | Ending,
  label: Label,
  input = {},
): Promise<boolean> {
  const changed = noting(byGet());
  const result = await driver.performChanged(user, step, label, {
    change: changed.change,
    defect: 'it comes by GET',
    input,
  });
  driver.observe(label, { isChanged: changed.isChanged(), isDone: changed.isChanged() && result.kind === 'done' });
  return changed.isChanged();
}
