/** Signing in and linking as the interface means it to go, once and again. */
import type { Scenario } from './scenario.ts';

export const firstLink: Scenario = {
  id: 'first-link',
  title: 'A new user signs in, is not known to the EHR server, and is linked through the exchange token',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(stage) {
    const ann = stage.actor('Ann');
    await stage.signIn(ann);
    await stage.ehr(ann, 'getPatient', { label: 'get patient before the link', defect: 'the user is not linked yet' });
    await stage.link(ann);
    await stage.mustEhr(ann, 'getPatient', 'get patient after the link');
  },
};

export const returningUser: Scenario = {
  id: 'returning-user',
  title: 'Users who were linked earlier sign in again, with the user_sign they kept and without it',
  needs: ['confirmOtp', 'exchangeToken', 'reportLink'],
  async play(stage) {
    const [bea, cid] = [stage.actor('Bea'), stage.actor('Cid')];
    for (const actor of [bea, cid]) {
      await stage.signIn(actor, `${actor.name} signs in first`);
      await stage.link(actor, `${actor.name} links`);
    }
    await stage.passResendPause();
    for (const actor of [bea, cid]) {
      await stage.signIn(actor, `${actor.name} returns with user_sign`, { userSign: actor.userSign as string });
      await stage.ehr(actor, 'getPatient', { label: `${actor.name} reads the record` });
    }
    await stage.passResendPause();
    await stage.signIn(bea, 'Bea returns on another device');
    await stage.ehr(bea, 'getPatient', { label: 'Bea reads the record on another device' });
  },
};

export const manyTokens: Scenario = {
  id: 'many-tokens',
  title: 'One user signs in many times and asks for many exchange tokens',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(stage) {
    const dan = stage.actor('Dan');
    for (let round = 1; round <= 4; round++) {
      await stage.signIn(dan, `sign in, time ${round}`);
      await stage.must(dan, 'exchangeToken', { label: `exchange token a, time ${round}` });
      await stage.must(dan, 'exchangeToken', { label: `exchange token b, time ${round}` });
      await stage.passResendPause();
    }
  },
};

export const crowd: Scenario = {
  id: 'crowd',
  title: 'Fifty users sign in and link at the same time',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(stage) {
    const actors = Array.from({ length: 50 }, (_, index) => stage.actor(`user ${index + 1}`));
    await inTurnsOf(10, actors, async (actor) => {
      await stage.signIn(actor, 'crowd: sign in');
      await stage.link(actor, 'crowd: link');
      await stage.mustEhr(actor, 'getPatient', 'crowd: get patient');
    });
  },
};

/** Ten at once keep every server busy; fifty in all show what gets mixed up. All are played to their end, then the first trouble is told. */
async function inTurnsOf<T>(width: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const troubles: unknown[] = [];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item).catch((error: unknown) => troubles.push(error));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (troubles.length > 0) throw troubles[0];
}
