/**
 * Checks of a client whose person does the same thing twice at the same moment, as by a double click: the
 * client must send it once.
 */
import { answers, type ClientCheck, callsIn, check, fault, sees } from '../check.ts';
import type { Action } from '../drivers/driver.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { ClientWorld } from '../world.ts';

const { darya } = people;

/** One such action: `before` leads to the moment, `action` is done twice, `what` begins the title. */
type Twice = {
  id: string;
  what: string;
  before: (world: ClientWorld) => Promise<unknown>;
  action: (world: ClientWorld) => Action;
  /** Lets the record be connected again, where a client may have left it linked. */
  after?: (world: ClientWorld) => Promise<void>;
  /** The calls that the client must not make twice. */
  once: readonly string[];
};

const linked = (world: ClientWorld) => world.linked();

const TABLE: readonly Twice[] = [
  {
    id: 'code-sent-once',
    what: 'The code',
    before: (world) => world.askForCode(),
    action: (world) => ({ do: 'enterCode', code: world.newestCode(darya.signIn) }),
    once: ['auth auth.confirm_otp'],
  },
  {
    id: 'form-sent-once',
    what: 'The form',
    before: (world) => world.signedIn(),
    action: () => ({ do: 'fillForm', values: darya.form }),
    once: [`ehr ${EHR_METHODS.authenticate}`],
  },
  {
    id: 'logout-sent-once',
    what: 'The logout',
    before: linked,
    action: () => ({ do: 'logout' }),
    once: [`ehr ${EHR_METHODS.logOut}`, 'auth auth.logout'],
  },
  {
    id: 'deletion-sent-once',
    what: 'The deletion',
    before: linked,
    action: () => ({ do: 'deleteAccount' }),
    after: (world) => world.disconnectElsewhere(darya),
    once: [`ehr ${EHR_METHODS.disconnect}`, 'auth auth.delete_user'],
  },
];

export const atOnceChecks: readonly ClientCheck[] = TABLE.map(({ id, what, before, action, after, once }) =>
  check({
    id,
    title: `${what} is sent once, however fast the person acts twice`,
    requirements: ['K-client-acts-once'],
    expect: { 'twice at once': answers, 'the way on': sees('patient') },
    async play(world) {
      await before(world as ClientWorld);
      const twice = action(world as ClientWorld);
      await world.act('twice at once', twice, twice);
      await after?.(world as ClientWorld);
      await world.wayOn('the way on');
    },
    judge({ of }) {
      const twice = of('twice at once');
      const calls = callsIn(twice);
      const timesOf = (call: string) => calls.filter((each) => each === call).length;
      const wrong = once.find((call) => timesOf(call) > 1);
      return wrong !== undefined && fault(`${wrong} once`, `${timesOf(wrong)} times`, twice);
    },
    unshown: ({ of }) =>
      once.some((call) => callsIn(of('twice at once')).includes(call)) ? undefined : 'no such call is made',
    advice: 'Ignore the action while the first one is under way.',
  }),
);
